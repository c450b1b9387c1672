// SPDX-License-Identifier: Apache-2.0
// Made by interface/generate.py from interface/shmem.table.
// clang-format off

#include "calls.h"
#include "collectives.h"
#include "former.h"
#include "shmem.h"

using namespace verbena::shmem;

extern "C" {

void shmem_float_put(float* dest, const float* source, size_t nelems, int pe) { return calls::put<float>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_float_put(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe) { return calls::put<float>(ctx, dest, source, nelems, pe); }
void shmem_double_put(double* dest, const double* source, size_t nelems, int pe) { return calls::put<double>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_double_put(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe) { return calls::put<double>(ctx, dest, source, nelems, pe); }
void shmem_longdouble_put(long double* dest, const long double* source, size_t nelems, int pe) { return calls::put<long double>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_longdouble_put(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe) { return calls::put<long double>(ctx, dest, source, nelems, pe); }
void shmem_char_put(char* dest, const char* source, size_t nelems, int pe) { return calls::put<char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_char_put(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe) { return calls::put<char>(ctx, dest, source, nelems, pe); }
void shmem_schar_put(signed char* dest, const signed char* source, size_t nelems, int pe) { return calls::put<signed char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_schar_put(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe) { return calls::put<signed char>(ctx, dest, source, nelems, pe); }
void shmem_short_put(short* dest, const short* source, size_t nelems, int pe) { return calls::put<short>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_short_put(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe) { return calls::put<short>(ctx, dest, source, nelems, pe); }
void shmem_int_put(int* dest, const int* source, size_t nelems, int pe) { return calls::put<int>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int_put(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe) { return calls::put<int>(ctx, dest, source, nelems, pe); }
void shmem_long_put(long* dest, const long* source, size_t nelems, int pe) { return calls::put<long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_long_put(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe) { return calls::put<long>(ctx, dest, source, nelems, pe); }
void shmem_longlong_put(long long* dest, const long long* source, size_t nelems, int pe) { return calls::put<long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_longlong_put(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe) { return calls::put<long long>(ctx, dest, source, nelems, pe); }
void shmem_uchar_put(unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return calls::put<unsigned char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uchar_put(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return calls::put<unsigned char>(ctx, dest, source, nelems, pe); }
void shmem_ushort_put(unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return calls::put<unsigned short>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ushort_put(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return calls::put<unsigned short>(ctx, dest, source, nelems, pe); }
void shmem_uint_put(unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return calls::put<unsigned int>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint_put(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return calls::put<unsigned int>(ctx, dest, source, nelems, pe); }
void shmem_ulong_put(unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return calls::put<unsigned long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ulong_put(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return calls::put<unsigned long>(ctx, dest, source, nelems, pe); }
void shmem_ulonglong_put(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return calls::put<unsigned long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ulonglong_put(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return calls::put<unsigned long long>(ctx, dest, source, nelems, pe); }
void shmem_int8_put(int8_t* dest, const int8_t* source, size_t nelems, int pe) { return calls::put<int8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int8_put(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, int pe) { return calls::put<int8_t>(ctx, dest, source, nelems, pe); }
void shmem_int16_put(int16_t* dest, const int16_t* source, size_t nelems, int pe) { return calls::put<int16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int16_put(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, int pe) { return calls::put<int16_t>(ctx, dest, source, nelems, pe); }
void shmem_int32_put(int32_t* dest, const int32_t* source, size_t nelems, int pe) { return calls::put<int32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int32_put(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, int pe) { return calls::put<int32_t>(ctx, dest, source, nelems, pe); }
void shmem_int64_put(int64_t* dest, const int64_t* source, size_t nelems, int pe) { return calls::put<int64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int64_put(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, int pe) { return calls::put<int64_t>(ctx, dest, source, nelems, pe); }
void shmem_uint8_put(uint8_t* dest, const uint8_t* source, size_t nelems, int pe) { return calls::put<uint8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint8_put(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, int pe) { return calls::put<uint8_t>(ctx, dest, source, nelems, pe); }
void shmem_uint16_put(uint16_t* dest, const uint16_t* source, size_t nelems, int pe) { return calls::put<uint16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint16_put(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, int pe) { return calls::put<uint16_t>(ctx, dest, source, nelems, pe); }
void shmem_uint32_put(uint32_t* dest, const uint32_t* source, size_t nelems, int pe) { return calls::put<uint32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint32_put(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, int pe) { return calls::put<uint32_t>(ctx, dest, source, nelems, pe); }
void shmem_uint64_put(uint64_t* dest, const uint64_t* source, size_t nelems, int pe) { return calls::put<uint64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint64_put(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, int pe) { return calls::put<uint64_t>(ctx, dest, source, nelems, pe); }
void shmem_size_put(size_t* dest, const size_t* source, size_t nelems, int pe) { return calls::put<size_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_size_put(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, int pe) { return calls::put<size_t>(ctx, dest, source, nelems, pe); }
void shmem_ptrdiff_put(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe) { return calls::put<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ptrdiff_put(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe) { return calls::put<ptrdiff_t>(ctx, dest, source, nelems, pe); }
void shmem_float_get(float* dest, const float* source, size_t nelems, int pe) { return calls::get<float>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_float_get(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe) { return calls::get<float>(ctx, dest, source, nelems, pe); }
void shmem_double_get(double* dest, const double* source, size_t nelems, int pe) { return calls::get<double>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_double_get(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe) { return calls::get<double>(ctx, dest, source, nelems, pe); }
void shmem_longdouble_get(long double* dest, const long double* source, size_t nelems, int pe) { return calls::get<long double>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_longdouble_get(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe) { return calls::get<long double>(ctx, dest, source, nelems, pe); }
void shmem_char_get(char* dest, const char* source, size_t nelems, int pe) { return calls::get<char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_char_get(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe) { return calls::get<char>(ctx, dest, source, nelems, pe); }
void shmem_schar_get(signed char* dest, const signed char* source, size_t nelems, int pe) { return calls::get<signed char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_schar_get(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe) { return calls::get<signed char>(ctx, dest, source, nelems, pe); }
void shmem_short_get(short* dest, const short* source, size_t nelems, int pe) { return calls::get<short>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_short_get(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe) { return calls::get<short>(ctx, dest, source, nelems, pe); }
void shmem_int_get(int* dest, const int* source, size_t nelems, int pe) { return calls::get<int>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int_get(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe) { return calls::get<int>(ctx, dest, source, nelems, pe); }
void shmem_long_get(long* dest, const long* source, size_t nelems, int pe) { return calls::get<long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_long_get(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe) { return calls::get<long>(ctx, dest, source, nelems, pe); }
void shmem_longlong_get(long long* dest, const long long* source, size_t nelems, int pe) { return calls::get<long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_longlong_get(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe) { return calls::get<long long>(ctx, dest, source, nelems, pe); }
void shmem_uchar_get(unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return calls::get<unsigned char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uchar_get(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return calls::get<unsigned char>(ctx, dest, source, nelems, pe); }
void shmem_ushort_get(unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return calls::get<unsigned short>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ushort_get(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return calls::get<unsigned short>(ctx, dest, source, nelems, pe); }
void shmem_uint_get(unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return calls::get<unsigned int>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint_get(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return calls::get<unsigned int>(ctx, dest, source, nelems, pe); }
void shmem_ulong_get(unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return calls::get<unsigned long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ulong_get(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return calls::get<unsigned long>(ctx, dest, source, nelems, pe); }
void shmem_ulonglong_get(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return calls::get<unsigned long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ulonglong_get(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return calls::get<unsigned long long>(ctx, dest, source, nelems, pe); }
void shmem_int8_get(int8_t* dest, const int8_t* source, size_t nelems, int pe) { return calls::get<int8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int8_get(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, int pe) { return calls::get<int8_t>(ctx, dest, source, nelems, pe); }
void shmem_int16_get(int16_t* dest, const int16_t* source, size_t nelems, int pe) { return calls::get<int16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int16_get(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, int pe) { return calls::get<int16_t>(ctx, dest, source, nelems, pe); }
void shmem_int32_get(int32_t* dest, const int32_t* source, size_t nelems, int pe) { return calls::get<int32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int32_get(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, int pe) { return calls::get<int32_t>(ctx, dest, source, nelems, pe); }
void shmem_int64_get(int64_t* dest, const int64_t* source, size_t nelems, int pe) { return calls::get<int64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int64_get(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, int pe) { return calls::get<int64_t>(ctx, dest, source, nelems, pe); }
void shmem_uint8_get(uint8_t* dest, const uint8_t* source, size_t nelems, int pe) { return calls::get<uint8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint8_get(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, int pe) { return calls::get<uint8_t>(ctx, dest, source, nelems, pe); }
void shmem_uint16_get(uint16_t* dest, const uint16_t* source, size_t nelems, int pe) { return calls::get<uint16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint16_get(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, int pe) { return calls::get<uint16_t>(ctx, dest, source, nelems, pe); }
void shmem_uint32_get(uint32_t* dest, const uint32_t* source, size_t nelems, int pe) { return calls::get<uint32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint32_get(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, int pe) { return calls::get<uint32_t>(ctx, dest, source, nelems, pe); }
void shmem_uint64_get(uint64_t* dest, const uint64_t* source, size_t nelems, int pe) { return calls::get<uint64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint64_get(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, int pe) { return calls::get<uint64_t>(ctx, dest, source, nelems, pe); }
void shmem_size_get(size_t* dest, const size_t* source, size_t nelems, int pe) { return calls::get<size_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_size_get(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, int pe) { return calls::get<size_t>(ctx, dest, source, nelems, pe); }
void shmem_ptrdiff_get(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe) { return calls::get<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ptrdiff_get(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe) { return calls::get<ptrdiff_t>(ctx, dest, source, nelems, pe); }
void shmem_float_put_nbi(float* dest, const float* source, size_t nelems, int pe) { return calls::put_nbi<float>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_float_put_nbi(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe) { return calls::put_nbi<float>(ctx, dest, source, nelems, pe); }
void shmem_double_put_nbi(double* dest, const double* source, size_t nelems, int pe) { return calls::put_nbi<double>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_double_put_nbi(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe) { return calls::put_nbi<double>(ctx, dest, source, nelems, pe); }
void shmem_longdouble_put_nbi(long double* dest, const long double* source, size_t nelems, int pe) { return calls::put_nbi<long double>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_longdouble_put_nbi(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe) { return calls::put_nbi<long double>(ctx, dest, source, nelems, pe); }
void shmem_char_put_nbi(char* dest, const char* source, size_t nelems, int pe) { return calls::put_nbi<char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_char_put_nbi(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe) { return calls::put_nbi<char>(ctx, dest, source, nelems, pe); }
void shmem_schar_put_nbi(signed char* dest, const signed char* source, size_t nelems, int pe) { return calls::put_nbi<signed char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_schar_put_nbi(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe) { return calls::put_nbi<signed char>(ctx, dest, source, nelems, pe); }
void shmem_short_put_nbi(short* dest, const short* source, size_t nelems, int pe) { return calls::put_nbi<short>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_short_put_nbi(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe) { return calls::put_nbi<short>(ctx, dest, source, nelems, pe); }
void shmem_int_put_nbi(int* dest, const int* source, size_t nelems, int pe) { return calls::put_nbi<int>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int_put_nbi(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe) { return calls::put_nbi<int>(ctx, dest, source, nelems, pe); }
void shmem_long_put_nbi(long* dest, const long* source, size_t nelems, int pe) { return calls::put_nbi<long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_long_put_nbi(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe) { return calls::put_nbi<long>(ctx, dest, source, nelems, pe); }
void shmem_longlong_put_nbi(long long* dest, const long long* source, size_t nelems, int pe) { return calls::put_nbi<long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_longlong_put_nbi(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe) { return calls::put_nbi<long long>(ctx, dest, source, nelems, pe); }
void shmem_uchar_put_nbi(unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return calls::put_nbi<unsigned char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uchar_put_nbi(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return calls::put_nbi<unsigned char>(ctx, dest, source, nelems, pe); }
void shmem_ushort_put_nbi(unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return calls::put_nbi<unsigned short>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ushort_put_nbi(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return calls::put_nbi<unsigned short>(ctx, dest, source, nelems, pe); }
void shmem_uint_put_nbi(unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return calls::put_nbi<unsigned int>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint_put_nbi(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return calls::put_nbi<unsigned int>(ctx, dest, source, nelems, pe); }
void shmem_ulong_put_nbi(unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return calls::put_nbi<unsigned long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ulong_put_nbi(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return calls::put_nbi<unsigned long>(ctx, dest, source, nelems, pe); }
void shmem_ulonglong_put_nbi(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return calls::put_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ulonglong_put_nbi(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return calls::put_nbi<unsigned long long>(ctx, dest, source, nelems, pe); }
void shmem_int8_put_nbi(int8_t* dest, const int8_t* source, size_t nelems, int pe) { return calls::put_nbi<int8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int8_put_nbi(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, int pe) { return calls::put_nbi<int8_t>(ctx, dest, source, nelems, pe); }
void shmem_int16_put_nbi(int16_t* dest, const int16_t* source, size_t nelems, int pe) { return calls::put_nbi<int16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int16_put_nbi(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, int pe) { return calls::put_nbi<int16_t>(ctx, dest, source, nelems, pe); }
void shmem_int32_put_nbi(int32_t* dest, const int32_t* source, size_t nelems, int pe) { return calls::put_nbi<int32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int32_put_nbi(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, int pe) { return calls::put_nbi<int32_t>(ctx, dest, source, nelems, pe); }
void shmem_int64_put_nbi(int64_t* dest, const int64_t* source, size_t nelems, int pe) { return calls::put_nbi<int64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int64_put_nbi(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, int pe) { return calls::put_nbi<int64_t>(ctx, dest, source, nelems, pe); }
void shmem_uint8_put_nbi(uint8_t* dest, const uint8_t* source, size_t nelems, int pe) { return calls::put_nbi<uint8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint8_put_nbi(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, int pe) { return calls::put_nbi<uint8_t>(ctx, dest, source, nelems, pe); }
void shmem_uint16_put_nbi(uint16_t* dest, const uint16_t* source, size_t nelems, int pe) { return calls::put_nbi<uint16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint16_put_nbi(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, int pe) { return calls::put_nbi<uint16_t>(ctx, dest, source, nelems, pe); }
void shmem_uint32_put_nbi(uint32_t* dest, const uint32_t* source, size_t nelems, int pe) { return calls::put_nbi<uint32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint32_put_nbi(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, int pe) { return calls::put_nbi<uint32_t>(ctx, dest, source, nelems, pe); }
void shmem_uint64_put_nbi(uint64_t* dest, const uint64_t* source, size_t nelems, int pe) { return calls::put_nbi<uint64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint64_put_nbi(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, int pe) { return calls::put_nbi<uint64_t>(ctx, dest, source, nelems, pe); }
void shmem_size_put_nbi(size_t* dest, const size_t* source, size_t nelems, int pe) { return calls::put_nbi<size_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_size_put_nbi(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, int pe) { return calls::put_nbi<size_t>(ctx, dest, source, nelems, pe); }
void shmem_ptrdiff_put_nbi(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe) { return calls::put_nbi<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ptrdiff_put_nbi(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe) { return calls::put_nbi<ptrdiff_t>(ctx, dest, source, nelems, pe); }
void shmem_float_get_nbi(float* dest, const float* source, size_t nelems, int pe) { return calls::get_nbi<float>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_float_get_nbi(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe) { return calls::get_nbi<float>(ctx, dest, source, nelems, pe); }
void shmem_double_get_nbi(double* dest, const double* source, size_t nelems, int pe) { return calls::get_nbi<double>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_double_get_nbi(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe) { return calls::get_nbi<double>(ctx, dest, source, nelems, pe); }
void shmem_longdouble_get_nbi(long double* dest, const long double* source, size_t nelems, int pe) { return calls::get_nbi<long double>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_longdouble_get_nbi(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe) { return calls::get_nbi<long double>(ctx, dest, source, nelems, pe); }
void shmem_char_get_nbi(char* dest, const char* source, size_t nelems, int pe) { return calls::get_nbi<char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_char_get_nbi(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe) { return calls::get_nbi<char>(ctx, dest, source, nelems, pe); }
void shmem_schar_get_nbi(signed char* dest, const signed char* source, size_t nelems, int pe) { return calls::get_nbi<signed char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_schar_get_nbi(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe) { return calls::get_nbi<signed char>(ctx, dest, source, nelems, pe); }
void shmem_short_get_nbi(short* dest, const short* source, size_t nelems, int pe) { return calls::get_nbi<short>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_short_get_nbi(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe) { return calls::get_nbi<short>(ctx, dest, source, nelems, pe); }
void shmem_int_get_nbi(int* dest, const int* source, size_t nelems, int pe) { return calls::get_nbi<int>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int_get_nbi(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe) { return calls::get_nbi<int>(ctx, dest, source, nelems, pe); }
void shmem_long_get_nbi(long* dest, const long* source, size_t nelems, int pe) { return calls::get_nbi<long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_long_get_nbi(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe) { return calls::get_nbi<long>(ctx, dest, source, nelems, pe); }
void shmem_longlong_get_nbi(long long* dest, const long long* source, size_t nelems, int pe) { return calls::get_nbi<long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_longlong_get_nbi(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe) { return calls::get_nbi<long long>(ctx, dest, source, nelems, pe); }
void shmem_uchar_get_nbi(unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return calls::get_nbi<unsigned char>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uchar_get_nbi(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return calls::get_nbi<unsigned char>(ctx, dest, source, nelems, pe); }
void shmem_ushort_get_nbi(unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return calls::get_nbi<unsigned short>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ushort_get_nbi(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return calls::get_nbi<unsigned short>(ctx, dest, source, nelems, pe); }
void shmem_uint_get_nbi(unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return calls::get_nbi<unsigned int>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint_get_nbi(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return calls::get_nbi<unsigned int>(ctx, dest, source, nelems, pe); }
void shmem_ulong_get_nbi(unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return calls::get_nbi<unsigned long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ulong_get_nbi(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return calls::get_nbi<unsigned long>(ctx, dest, source, nelems, pe); }
void shmem_ulonglong_get_nbi(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return calls::get_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ulonglong_get_nbi(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return calls::get_nbi<unsigned long long>(ctx, dest, source, nelems, pe); }
void shmem_int8_get_nbi(int8_t* dest, const int8_t* source, size_t nelems, int pe) { return calls::get_nbi<int8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int8_get_nbi(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, int pe) { return calls::get_nbi<int8_t>(ctx, dest, source, nelems, pe); }
void shmem_int16_get_nbi(int16_t* dest, const int16_t* source, size_t nelems, int pe) { return calls::get_nbi<int16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int16_get_nbi(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, int pe) { return calls::get_nbi<int16_t>(ctx, dest, source, nelems, pe); }
void shmem_int32_get_nbi(int32_t* dest, const int32_t* source, size_t nelems, int pe) { return calls::get_nbi<int32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int32_get_nbi(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, int pe) { return calls::get_nbi<int32_t>(ctx, dest, source, nelems, pe); }
void shmem_int64_get_nbi(int64_t* dest, const int64_t* source, size_t nelems, int pe) { return calls::get_nbi<int64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_int64_get_nbi(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, int pe) { return calls::get_nbi<int64_t>(ctx, dest, source, nelems, pe); }
void shmem_uint8_get_nbi(uint8_t* dest, const uint8_t* source, size_t nelems, int pe) { return calls::get_nbi<uint8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint8_get_nbi(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, int pe) { return calls::get_nbi<uint8_t>(ctx, dest, source, nelems, pe); }
void shmem_uint16_get_nbi(uint16_t* dest, const uint16_t* source, size_t nelems, int pe) { return calls::get_nbi<uint16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint16_get_nbi(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, int pe) { return calls::get_nbi<uint16_t>(ctx, dest, source, nelems, pe); }
void shmem_uint32_get_nbi(uint32_t* dest, const uint32_t* source, size_t nelems, int pe) { return calls::get_nbi<uint32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint32_get_nbi(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, int pe) { return calls::get_nbi<uint32_t>(ctx, dest, source, nelems, pe); }
void shmem_uint64_get_nbi(uint64_t* dest, const uint64_t* source, size_t nelems, int pe) { return calls::get_nbi<uint64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_uint64_get_nbi(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, int pe) { return calls::get_nbi<uint64_t>(ctx, dest, source, nelems, pe); }
void shmem_size_get_nbi(size_t* dest, const size_t* source, size_t nelems, int pe) { return calls::get_nbi<size_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_size_get_nbi(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, int pe) { return calls::get_nbi<size_t>(ctx, dest, source, nelems, pe); }
void shmem_ptrdiff_get_nbi(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe) { return calls::get_nbi<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, pe); }
void shmem_ctx_ptrdiff_get_nbi(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe) { return calls::get_nbi<ptrdiff_t>(ctx, dest, source, nelems, pe); }
void shmem_float_iput(float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<float>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_float_iput(shmem_ctx_t ctx, float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<float>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_double_iput(double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<double>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_double_iput(shmem_ctx_t ctx, double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<double>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_longdouble_iput(long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<long double>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_longdouble_iput(shmem_ctx_t ctx, long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<long double>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_char_iput(char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<char>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_char_iput(shmem_ctx_t ctx, char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<char>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_schar_iput(signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<signed char>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_schar_iput(shmem_ctx_t ctx, signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<signed char>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_short_iput(short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<short>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_short_iput(shmem_ctx_t ctx, short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<short>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int_iput(int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int_iput(shmem_ctx_t ctx, int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_long_iput(long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<long>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_long_iput(shmem_ctx_t ctx, long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<long>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_longlong_iput(long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<long long>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_longlong_iput(shmem_ctx_t ctx, long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<long long>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uchar_iput(unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned char>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uchar_iput(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned char>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_ushort_iput(unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned short>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_ushort_iput(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned short>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint_iput(unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned int>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint_iput(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned int>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_ulong_iput(unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned long>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_ulong_iput(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned long>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_ulonglong_iput(unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned long long>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_ulonglong_iput(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<unsigned long long>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int8_iput(int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int8_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int8_iput(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int8_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int16_iput(int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int16_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int16_iput(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int16_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int32_iput(int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int32_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int32_iput(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int32_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int64_iput(int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int64_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int64_iput(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<int64_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint8_iput(uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<uint8_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint8_iput(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<uint8_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint16_iput(uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<uint16_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint16_iput(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<uint16_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint32_iput(uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<uint32_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint32_iput(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<uint32_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint64_iput(uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<uint64_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint64_iput(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<uint64_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_size_iput(size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<size_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_size_iput(shmem_ctx_t ctx, size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<size_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_ptrdiff_iput(ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_ptrdiff_iput(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iput<ptrdiff_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_float_iget(float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<float>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_float_iget(shmem_ctx_t ctx, float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<float>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_double_iget(double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<double>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_double_iget(shmem_ctx_t ctx, double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<double>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_longdouble_iget(long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<long double>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_longdouble_iget(shmem_ctx_t ctx, long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<long double>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_char_iget(char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<char>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_char_iget(shmem_ctx_t ctx, char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<char>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_schar_iget(signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<signed char>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_schar_iget(shmem_ctx_t ctx, signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<signed char>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_short_iget(short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<short>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_short_iget(shmem_ctx_t ctx, short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<short>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int_iget(int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int_iget(shmem_ctx_t ctx, int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_long_iget(long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<long>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_long_iget(shmem_ctx_t ctx, long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<long>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_longlong_iget(long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<long long>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_longlong_iget(shmem_ctx_t ctx, long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<long long>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uchar_iget(unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned char>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uchar_iget(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned char>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_ushort_iget(unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned short>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_ushort_iget(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned short>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint_iget(unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned int>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint_iget(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned int>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_ulong_iget(unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned long>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_ulong_iget(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned long>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_ulonglong_iget(unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned long long>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_ulonglong_iget(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<unsigned long long>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int8_iget(int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int8_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int8_iget(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int8_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int16_iget(int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int16_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int16_iget(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int16_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int32_iget(int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int32_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int32_iget(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int32_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_int64_iget(int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int64_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_int64_iget(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<int64_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint8_iget(uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<uint8_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint8_iget(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<uint8_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint16_iget(uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<uint16_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint16_iget(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<uint16_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint32_iget(uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<uint32_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint32_iget(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<uint32_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_uint64_iget(uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<uint64_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_uint64_iget(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<uint64_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_size_iget(size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<size_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_size_iget(shmem_ctx_t ctx, size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<size_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_ptrdiff_iget(ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, source, dst, sst, nelems, pe); }
void shmem_ctx_ptrdiff_iget(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return calls::iget<ptrdiff_t>(ctx, dest, source, dst, sst, nelems, pe); }
void shmem_float_p(float* dest, float value, int pe) { return calls::p<float>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_float_p(shmem_ctx_t ctx, float* dest, float value, int pe) { return calls::p<float>(ctx, dest, value, pe); }
void shmem_double_p(double* dest, double value, int pe) { return calls::p<double>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_double_p(shmem_ctx_t ctx, double* dest, double value, int pe) { return calls::p<double>(ctx, dest, value, pe); }
void shmem_longdouble_p(long double* dest, long double value, int pe) { return calls::p<long double>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_longdouble_p(shmem_ctx_t ctx, long double* dest, long double value, int pe) { return calls::p<long double>(ctx, dest, value, pe); }
void shmem_char_p(char* dest, char value, int pe) { return calls::p<char>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_char_p(shmem_ctx_t ctx, char* dest, char value, int pe) { return calls::p<char>(ctx, dest, value, pe); }
void shmem_schar_p(signed char* dest, signed char value, int pe) { return calls::p<signed char>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_schar_p(shmem_ctx_t ctx, signed char* dest, signed char value, int pe) { return calls::p<signed char>(ctx, dest, value, pe); }
void shmem_short_p(short* dest, short value, int pe) { return calls::p<short>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_short_p(shmem_ctx_t ctx, short* dest, short value, int pe) { return calls::p<short>(ctx, dest, value, pe); }
void shmem_int_p(int* dest, int value, int pe) { return calls::p<int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int_p(shmem_ctx_t ctx, int* dest, int value, int pe) { return calls::p<int>(ctx, dest, value, pe); }
void shmem_long_p(long* dest, long value, int pe) { return calls::p<long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_long_p(shmem_ctx_t ctx, long* dest, long value, int pe) { return calls::p<long>(ctx, dest, value, pe); }
void shmem_longlong_p(long long* dest, long long value, int pe) { return calls::p<long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_longlong_p(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return calls::p<long long>(ctx, dest, value, pe); }
void shmem_uchar_p(unsigned char* dest, unsigned char value, int pe) { return calls::p<unsigned char>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uchar_p(shmem_ctx_t ctx, unsigned char* dest, unsigned char value, int pe) { return calls::p<unsigned char>(ctx, dest, value, pe); }
void shmem_ushort_p(unsigned short* dest, unsigned short value, int pe) { return calls::p<unsigned short>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ushort_p(shmem_ctx_t ctx, unsigned short* dest, unsigned short value, int pe) { return calls::p<unsigned short>(ctx, dest, value, pe); }
void shmem_uint_p(unsigned int* dest, unsigned int value, int pe) { return calls::p<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint_p(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::p<unsigned int>(ctx, dest, value, pe); }
void shmem_ulong_p(unsigned long* dest, unsigned long value, int pe) { return calls::p<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulong_p(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::p<unsigned long>(ctx, dest, value, pe); }
void shmem_ulonglong_p(unsigned long long* dest, unsigned long long value, int pe) { return calls::p<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulonglong_p(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::p<unsigned long long>(ctx, dest, value, pe); }
void shmem_int8_p(int8_t* dest, int8_t value, int pe) { return calls::p<int8_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int8_p(shmem_ctx_t ctx, int8_t* dest, int8_t value, int pe) { return calls::p<int8_t>(ctx, dest, value, pe); }
void shmem_int16_p(int16_t* dest, int16_t value, int pe) { return calls::p<int16_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int16_p(shmem_ctx_t ctx, int16_t* dest, int16_t value, int pe) { return calls::p<int16_t>(ctx, dest, value, pe); }
void shmem_int32_p(int32_t* dest, int32_t value, int pe) { return calls::p<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int32_p(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::p<int32_t>(ctx, dest, value, pe); }
void shmem_int64_p(int64_t* dest, int64_t value, int pe) { return calls::p<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int64_p(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::p<int64_t>(ctx, dest, value, pe); }
void shmem_uint8_p(uint8_t* dest, uint8_t value, int pe) { return calls::p<uint8_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint8_p(shmem_ctx_t ctx, uint8_t* dest, uint8_t value, int pe) { return calls::p<uint8_t>(ctx, dest, value, pe); }
void shmem_uint16_p(uint16_t* dest, uint16_t value, int pe) { return calls::p<uint16_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint16_p(shmem_ctx_t ctx, uint16_t* dest, uint16_t value, int pe) { return calls::p<uint16_t>(ctx, dest, value, pe); }
void shmem_uint32_p(uint32_t* dest, uint32_t value, int pe) { return calls::p<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint32_p(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::p<uint32_t>(ctx, dest, value, pe); }
void shmem_uint64_p(uint64_t* dest, uint64_t value, int pe) { return calls::p<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint64_p(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::p<uint64_t>(ctx, dest, value, pe); }
void shmem_size_p(size_t* dest, size_t value, int pe) { return calls::p<size_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_size_p(shmem_ctx_t ctx, size_t* dest, size_t value, int pe) { return calls::p<size_t>(ctx, dest, value, pe); }
void shmem_ptrdiff_p(ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::p<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ptrdiff_p(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::p<ptrdiff_t>(ctx, dest, value, pe); }
float shmem_float_g(const float* source, int pe) { return calls::g<float>(SHMEM_CTX_DEFAULT, source, pe); }
float shmem_ctx_float_g(shmem_ctx_t ctx, const float* source, int pe) { return calls::g<float>(ctx, source, pe); }
double shmem_double_g(const double* source, int pe) { return calls::g<double>(SHMEM_CTX_DEFAULT, source, pe); }
double shmem_ctx_double_g(shmem_ctx_t ctx, const double* source, int pe) { return calls::g<double>(ctx, source, pe); }
long double shmem_longdouble_g(const long double* source, int pe) { return calls::g<long double>(SHMEM_CTX_DEFAULT, source, pe); }
long double shmem_ctx_longdouble_g(shmem_ctx_t ctx, const long double* source, int pe) { return calls::g<long double>(ctx, source, pe); }
char shmem_char_g(const char* source, int pe) { return calls::g<char>(SHMEM_CTX_DEFAULT, source, pe); }
char shmem_ctx_char_g(shmem_ctx_t ctx, const char* source, int pe) { return calls::g<char>(ctx, source, pe); }
signed char shmem_schar_g(const signed char* source, int pe) { return calls::g<signed char>(SHMEM_CTX_DEFAULT, source, pe); }
signed char shmem_ctx_schar_g(shmem_ctx_t ctx, const signed char* source, int pe) { return calls::g<signed char>(ctx, source, pe); }
short shmem_short_g(const short* source, int pe) { return calls::g<short>(SHMEM_CTX_DEFAULT, source, pe); }
short shmem_ctx_short_g(shmem_ctx_t ctx, const short* source, int pe) { return calls::g<short>(ctx, source, pe); }
int shmem_int_g(const int* source, int pe) { return calls::g<int>(SHMEM_CTX_DEFAULT, source, pe); }
int shmem_ctx_int_g(shmem_ctx_t ctx, const int* source, int pe) { return calls::g<int>(ctx, source, pe); }
long shmem_long_g(const long* source, int pe) { return calls::g<long>(SHMEM_CTX_DEFAULT, source, pe); }
long shmem_ctx_long_g(shmem_ctx_t ctx, const long* source, int pe) { return calls::g<long>(ctx, source, pe); }
long long shmem_longlong_g(const long long* source, int pe) { return calls::g<long long>(SHMEM_CTX_DEFAULT, source, pe); }
long long shmem_ctx_longlong_g(shmem_ctx_t ctx, const long long* source, int pe) { return calls::g<long long>(ctx, source, pe); }
unsigned char shmem_uchar_g(const unsigned char* source, int pe) { return calls::g<unsigned char>(SHMEM_CTX_DEFAULT, source, pe); }
unsigned char shmem_ctx_uchar_g(shmem_ctx_t ctx, const unsigned char* source, int pe) { return calls::g<unsigned char>(ctx, source, pe); }
unsigned short shmem_ushort_g(const unsigned short* source, int pe) { return calls::g<unsigned short>(SHMEM_CTX_DEFAULT, source, pe); }
unsigned short shmem_ctx_ushort_g(shmem_ctx_t ctx, const unsigned short* source, int pe) { return calls::g<unsigned short>(ctx, source, pe); }
unsigned int shmem_uint_g(const unsigned int* source, int pe) { return calls::g<unsigned int>(SHMEM_CTX_DEFAULT, source, pe); }
unsigned int shmem_ctx_uint_g(shmem_ctx_t ctx, const unsigned int* source, int pe) { return calls::g<unsigned int>(ctx, source, pe); }
unsigned long shmem_ulong_g(const unsigned long* source, int pe) { return calls::g<unsigned long>(SHMEM_CTX_DEFAULT, source, pe); }
unsigned long shmem_ctx_ulong_g(shmem_ctx_t ctx, const unsigned long* source, int pe) { return calls::g<unsigned long>(ctx, source, pe); }
unsigned long long shmem_ulonglong_g(const unsigned long long* source, int pe) { return calls::g<unsigned long long>(SHMEM_CTX_DEFAULT, source, pe); }
unsigned long long shmem_ctx_ulonglong_g(shmem_ctx_t ctx, const unsigned long long* source, int pe) { return calls::g<unsigned long long>(ctx, source, pe); }
int8_t shmem_int8_g(const int8_t* source, int pe) { return calls::g<int8_t>(SHMEM_CTX_DEFAULT, source, pe); }
int8_t shmem_ctx_int8_g(shmem_ctx_t ctx, const int8_t* source, int pe) { return calls::g<int8_t>(ctx, source, pe); }
int16_t shmem_int16_g(const int16_t* source, int pe) { return calls::g<int16_t>(SHMEM_CTX_DEFAULT, source, pe); }
int16_t shmem_ctx_int16_g(shmem_ctx_t ctx, const int16_t* source, int pe) { return calls::g<int16_t>(ctx, source, pe); }
int32_t shmem_int32_g(const int32_t* source, int pe) { return calls::g<int32_t>(SHMEM_CTX_DEFAULT, source, pe); }
int32_t shmem_ctx_int32_g(shmem_ctx_t ctx, const int32_t* source, int pe) { return calls::g<int32_t>(ctx, source, pe); }
int64_t shmem_int64_g(const int64_t* source, int pe) { return calls::g<int64_t>(SHMEM_CTX_DEFAULT, source, pe); }
int64_t shmem_ctx_int64_g(shmem_ctx_t ctx, const int64_t* source, int pe) { return calls::g<int64_t>(ctx, source, pe); }
uint8_t shmem_uint8_g(const uint8_t* source, int pe) { return calls::g<uint8_t>(SHMEM_CTX_DEFAULT, source, pe); }
uint8_t shmem_ctx_uint8_g(shmem_ctx_t ctx, const uint8_t* source, int pe) { return calls::g<uint8_t>(ctx, source, pe); }
uint16_t shmem_uint16_g(const uint16_t* source, int pe) { return calls::g<uint16_t>(SHMEM_CTX_DEFAULT, source, pe); }
uint16_t shmem_ctx_uint16_g(shmem_ctx_t ctx, const uint16_t* source, int pe) { return calls::g<uint16_t>(ctx, source, pe); }
uint32_t shmem_uint32_g(const uint32_t* source, int pe) { return calls::g<uint32_t>(SHMEM_CTX_DEFAULT, source, pe); }
uint32_t shmem_ctx_uint32_g(shmem_ctx_t ctx, const uint32_t* source, int pe) { return calls::g<uint32_t>(ctx, source, pe); }
uint64_t shmem_uint64_g(const uint64_t* source, int pe) { return calls::g<uint64_t>(SHMEM_CTX_DEFAULT, source, pe); }
uint64_t shmem_ctx_uint64_g(shmem_ctx_t ctx, const uint64_t* source, int pe) { return calls::g<uint64_t>(ctx, source, pe); }
size_t shmem_size_g(const size_t* source, int pe) { return calls::g<size_t>(SHMEM_CTX_DEFAULT, source, pe); }
size_t shmem_ctx_size_g(shmem_ctx_t ctx, const size_t* source, int pe) { return calls::g<size_t>(ctx, source, pe); }
ptrdiff_t shmem_ptrdiff_g(const ptrdiff_t* source, int pe) { return calls::g<ptrdiff_t>(SHMEM_CTX_DEFAULT, source, pe); }
ptrdiff_t shmem_ctx_ptrdiff_g(shmem_ctx_t ctx, const ptrdiff_t* source, int pe) { return calls::g<ptrdiff_t>(ctx, source, pe); }
void shmem_float_put_signal(float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<float>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_float_put_signal(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<float>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_double_put_signal(double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<double>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_double_put_signal(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<double>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_longdouble_put_signal(long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<long double>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_longdouble_put_signal(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<long double>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_char_put_signal(char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<char>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_char_put_signal(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<char>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_schar_put_signal(signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<signed char>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_schar_put_signal(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<signed char>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_short_put_signal(short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<short>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_short_put_signal(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<short>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int_put_signal(int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int_put_signal(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_long_put_signal(long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<long>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_long_put_signal(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<long>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_longlong_put_signal(long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_longlong_put_signal(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<long long>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uchar_put_signal(unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned char>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uchar_put_signal(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned char>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ushort_put_signal(unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned short>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_ushort_put_signal(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned short>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint_put_signal(unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned int>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint_put_signal(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned int>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ulong_put_signal(unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned long>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_ulong_put_signal(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned long>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ulonglong_put_signal(unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_ulonglong_put_signal(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<unsigned long long>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int8_put_signal(int8_t* dest, const int8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int8_put_signal(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int8_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int16_put_signal(int16_t* dest, const int16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int16_put_signal(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int16_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int32_put_signal(int32_t* dest, const int32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int32_put_signal(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int32_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int64_put_signal(int64_t* dest, const int64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int64_put_signal(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<int64_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint8_put_signal(uint8_t* dest, const uint8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<uint8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint8_put_signal(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<uint8_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint16_put_signal(uint16_t* dest, const uint16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<uint16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint16_put_signal(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<uint16_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint32_put_signal(uint32_t* dest, const uint32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<uint32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint32_put_signal(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<uint32_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint64_put_signal(uint64_t* dest, const uint64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<uint64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint64_put_signal(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<uint64_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_size_put_signal(size_t* dest, const size_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<size_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_size_put_signal(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<size_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ptrdiff_put_signal(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_ptrdiff_put_signal(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal<ptrdiff_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_float_put_signal_nbi(float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<float>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_float_put_signal_nbi(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<float>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_double_put_signal_nbi(double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<double>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_double_put_signal_nbi(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<double>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_longdouble_put_signal_nbi(long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<long double>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_longdouble_put_signal_nbi(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<long double>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_char_put_signal_nbi(char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<char>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_char_put_signal_nbi(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<char>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_schar_put_signal_nbi(signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<signed char>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_schar_put_signal_nbi(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<signed char>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_short_put_signal_nbi(short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<short>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_short_put_signal_nbi(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<short>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int_put_signal_nbi(int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int_put_signal_nbi(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_long_put_signal_nbi(long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<long>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_long_put_signal_nbi(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<long>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_longlong_put_signal_nbi(long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_longlong_put_signal_nbi(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<long long>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uchar_put_signal_nbi(unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned char>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uchar_put_signal_nbi(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned char>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ushort_put_signal_nbi(unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned short>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_ushort_put_signal_nbi(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned short>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint_put_signal_nbi(unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned int>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint_put_signal_nbi(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned int>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ulong_put_signal_nbi(unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned long>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_ulong_put_signal_nbi(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned long>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ulonglong_put_signal_nbi(unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_ulonglong_put_signal_nbi(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<unsigned long long>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int8_put_signal_nbi(int8_t* dest, const int8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int8_put_signal_nbi(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int8_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int16_put_signal_nbi(int16_t* dest, const int16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int16_put_signal_nbi(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int16_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int32_put_signal_nbi(int32_t* dest, const int32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int32_put_signal_nbi(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int32_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_int64_put_signal_nbi(int64_t* dest, const int64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_int64_put_signal_nbi(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<int64_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint8_put_signal_nbi(uint8_t* dest, const uint8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<uint8_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint8_put_signal_nbi(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<uint8_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint16_put_signal_nbi(uint16_t* dest, const uint16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<uint16_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint16_put_signal_nbi(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<uint16_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint32_put_signal_nbi(uint32_t* dest, const uint32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<uint32_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint32_put_signal_nbi(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<uint32_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_uint64_put_signal_nbi(uint64_t* dest, const uint64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<uint64_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_uint64_put_signal_nbi(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<uint64_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_size_put_signal_nbi(size_t* dest, const size_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<size_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_size_put_signal_nbi(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<size_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ptrdiff_put_signal_nbi(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, source, nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_ptrdiff_put_signal_nbi(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return calls::put_signal_nbi<ptrdiff_t>(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
float shmem_float_atomic_fetch(const float* source, int pe) { return calls::atomic_fetch<float>(SHMEM_CTX_DEFAULT, source, pe); }
float shmem_ctx_float_atomic_fetch(shmem_ctx_t ctx, const float* source, int pe) { return calls::atomic_fetch<float>(ctx, source, pe); }
double shmem_double_atomic_fetch(const double* source, int pe) { return calls::atomic_fetch<double>(SHMEM_CTX_DEFAULT, source, pe); }
double shmem_ctx_double_atomic_fetch(shmem_ctx_t ctx, const double* source, int pe) { return calls::atomic_fetch<double>(ctx, source, pe); }
int shmem_int_atomic_fetch(const int* source, int pe) { return calls::atomic_fetch<int>(SHMEM_CTX_DEFAULT, source, pe); }
int shmem_ctx_int_atomic_fetch(shmem_ctx_t ctx, const int* source, int pe) { return calls::atomic_fetch<int>(ctx, source, pe); }
long shmem_long_atomic_fetch(const long* source, int pe) { return calls::atomic_fetch<long>(SHMEM_CTX_DEFAULT, source, pe); }
long shmem_ctx_long_atomic_fetch(shmem_ctx_t ctx, const long* source, int pe) { return calls::atomic_fetch<long>(ctx, source, pe); }
long long shmem_longlong_atomic_fetch(const long long* source, int pe) { return calls::atomic_fetch<long long>(SHMEM_CTX_DEFAULT, source, pe); }
long long shmem_ctx_longlong_atomic_fetch(shmem_ctx_t ctx, const long long* source, int pe) { return calls::atomic_fetch<long long>(ctx, source, pe); }
unsigned int shmem_uint_atomic_fetch(const unsigned int* source, int pe) { return calls::atomic_fetch<unsigned int>(SHMEM_CTX_DEFAULT, source, pe); }
unsigned int shmem_ctx_uint_atomic_fetch(shmem_ctx_t ctx, const unsigned int* source, int pe) { return calls::atomic_fetch<unsigned int>(ctx, source, pe); }
unsigned long shmem_ulong_atomic_fetch(const unsigned long* source, int pe) { return calls::atomic_fetch<unsigned long>(SHMEM_CTX_DEFAULT, source, pe); }
unsigned long shmem_ctx_ulong_atomic_fetch(shmem_ctx_t ctx, const unsigned long* source, int pe) { return calls::atomic_fetch<unsigned long>(ctx, source, pe); }
unsigned long long shmem_ulonglong_atomic_fetch(const unsigned long long* source, int pe) { return calls::atomic_fetch<unsigned long long>(SHMEM_CTX_DEFAULT, source, pe); }
unsigned long long shmem_ctx_ulonglong_atomic_fetch(shmem_ctx_t ctx, const unsigned long long* source, int pe) { return calls::atomic_fetch<unsigned long long>(ctx, source, pe); }
int32_t shmem_int32_atomic_fetch(const int32_t* source, int pe) { return calls::atomic_fetch<int32_t>(SHMEM_CTX_DEFAULT, source, pe); }
int32_t shmem_ctx_int32_atomic_fetch(shmem_ctx_t ctx, const int32_t* source, int pe) { return calls::atomic_fetch<int32_t>(ctx, source, pe); }
int64_t shmem_int64_atomic_fetch(const int64_t* source, int pe) { return calls::atomic_fetch<int64_t>(SHMEM_CTX_DEFAULT, source, pe); }
int64_t shmem_ctx_int64_atomic_fetch(shmem_ctx_t ctx, const int64_t* source, int pe) { return calls::atomic_fetch<int64_t>(ctx, source, pe); }
uint32_t shmem_uint32_atomic_fetch(const uint32_t* source, int pe) { return calls::atomic_fetch<uint32_t>(SHMEM_CTX_DEFAULT, source, pe); }
uint32_t shmem_ctx_uint32_atomic_fetch(shmem_ctx_t ctx, const uint32_t* source, int pe) { return calls::atomic_fetch<uint32_t>(ctx, source, pe); }
uint64_t shmem_uint64_atomic_fetch(const uint64_t* source, int pe) { return calls::atomic_fetch<uint64_t>(SHMEM_CTX_DEFAULT, source, pe); }
uint64_t shmem_ctx_uint64_atomic_fetch(shmem_ctx_t ctx, const uint64_t* source, int pe) { return calls::atomic_fetch<uint64_t>(ctx, source, pe); }
size_t shmem_size_atomic_fetch(const size_t* source, int pe) { return calls::atomic_fetch<size_t>(SHMEM_CTX_DEFAULT, source, pe); }
size_t shmem_ctx_size_atomic_fetch(shmem_ctx_t ctx, const size_t* source, int pe) { return calls::atomic_fetch<size_t>(ctx, source, pe); }
ptrdiff_t shmem_ptrdiff_atomic_fetch(const ptrdiff_t* source, int pe) { return calls::atomic_fetch<ptrdiff_t>(SHMEM_CTX_DEFAULT, source, pe); }
ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch(shmem_ctx_t ctx, const ptrdiff_t* source, int pe) { return calls::atomic_fetch<ptrdiff_t>(ctx, source, pe); }
void shmem_float_atomic_set(float* dest, float value, int pe) { return calls::atomic_set<float>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_float_atomic_set(shmem_ctx_t ctx, float* dest, float value, int pe) { return calls::atomic_set<float>(ctx, dest, value, pe); }
void shmem_double_atomic_set(double* dest, double value, int pe) { return calls::atomic_set<double>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_double_atomic_set(shmem_ctx_t ctx, double* dest, double value, int pe) { return calls::atomic_set<double>(ctx, dest, value, pe); }
void shmem_int_atomic_set(int* dest, int value, int pe) { return calls::atomic_set<int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int_atomic_set(shmem_ctx_t ctx, int* dest, int value, int pe) { return calls::atomic_set<int>(ctx, dest, value, pe); }
void shmem_long_atomic_set(long* dest, long value, int pe) { return calls::atomic_set<long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_long_atomic_set(shmem_ctx_t ctx, long* dest, long value, int pe) { return calls::atomic_set<long>(ctx, dest, value, pe); }
void shmem_longlong_atomic_set(long long* dest, long long value, int pe) { return calls::atomic_set<long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_longlong_atomic_set(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return calls::atomic_set<long long>(ctx, dest, value, pe); }
void shmem_uint_atomic_set(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_set<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint_atomic_set(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_set<unsigned int>(ctx, dest, value, pe); }
void shmem_ulong_atomic_set(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_set<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulong_atomic_set(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_set<unsigned long>(ctx, dest, value, pe); }
void shmem_ulonglong_atomic_set(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_set<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_set(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_set<unsigned long long>(ctx, dest, value, pe); }
void shmem_int32_atomic_set(int32_t* dest, int32_t value, int pe) { return calls::atomic_set<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int32_atomic_set(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_set<int32_t>(ctx, dest, value, pe); }
void shmem_int64_atomic_set(int64_t* dest, int64_t value, int pe) { return calls::atomic_set<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int64_atomic_set(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_set<int64_t>(ctx, dest, value, pe); }
void shmem_uint32_atomic_set(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_set<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint32_atomic_set(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_set<uint32_t>(ctx, dest, value, pe); }
void shmem_uint64_atomic_set(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_set<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint64_atomic_set(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_set<uint64_t>(ctx, dest, value, pe); }
void shmem_size_atomic_set(size_t* dest, size_t value, int pe) { return calls::atomic_set<size_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_size_atomic_set(shmem_ctx_t ctx, size_t* dest, size_t value, int pe) { return calls::atomic_set<size_t>(ctx, dest, value, pe); }
void shmem_ptrdiff_atomic_set(ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_set<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ptrdiff_atomic_set(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_set<ptrdiff_t>(ctx, dest, value, pe); }
float shmem_float_atomic_swap(float* dest, float value, int pe) { return calls::atomic_swap<float>(SHMEM_CTX_DEFAULT, dest, value, pe); }
float shmem_ctx_float_atomic_swap(shmem_ctx_t ctx, float* dest, float value, int pe) { return calls::atomic_swap<float>(ctx, dest, value, pe); }
double shmem_double_atomic_swap(double* dest, double value, int pe) { return calls::atomic_swap<double>(SHMEM_CTX_DEFAULT, dest, value, pe); }
double shmem_ctx_double_atomic_swap(shmem_ctx_t ctx, double* dest, double value, int pe) { return calls::atomic_swap<double>(ctx, dest, value, pe); }
int shmem_int_atomic_swap(int* dest, int value, int pe) { return calls::atomic_swap<int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int shmem_ctx_int_atomic_swap(shmem_ctx_t ctx, int* dest, int value, int pe) { return calls::atomic_swap<int>(ctx, dest, value, pe); }
long shmem_long_atomic_swap(long* dest, long value, int pe) { return calls::atomic_swap<long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
long shmem_ctx_long_atomic_swap(shmem_ctx_t ctx, long* dest, long value, int pe) { return calls::atomic_swap<long>(ctx, dest, value, pe); }
long long shmem_longlong_atomic_swap(long long* dest, long long value, int pe) { return calls::atomic_swap<long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
long long shmem_ctx_longlong_atomic_swap(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return calls::atomic_swap<long long>(ctx, dest, value, pe); }
unsigned int shmem_uint_atomic_swap(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_swap<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned int shmem_ctx_uint_atomic_swap(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_swap<unsigned int>(ctx, dest, value, pe); }
unsigned long shmem_ulong_atomic_swap(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_swap<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long shmem_ctx_ulong_atomic_swap(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_swap<unsigned long>(ctx, dest, value, pe); }
unsigned long long shmem_ulonglong_atomic_swap(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_swap<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long long shmem_ctx_ulonglong_atomic_swap(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_swap<unsigned long long>(ctx, dest, value, pe); }
int32_t shmem_int32_atomic_swap(int32_t* dest, int32_t value, int pe) { return calls::atomic_swap<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int32_t shmem_ctx_int32_atomic_swap(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_swap<int32_t>(ctx, dest, value, pe); }
int64_t shmem_int64_atomic_swap(int64_t* dest, int64_t value, int pe) { return calls::atomic_swap<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int64_t shmem_ctx_int64_atomic_swap(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_swap<int64_t>(ctx, dest, value, pe); }
uint32_t shmem_uint32_atomic_swap(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_swap<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint32_t shmem_ctx_uint32_atomic_swap(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_swap<uint32_t>(ctx, dest, value, pe); }
uint64_t shmem_uint64_atomic_swap(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_swap<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint64_t shmem_ctx_uint64_atomic_swap(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_swap<uint64_t>(ctx, dest, value, pe); }
size_t shmem_size_atomic_swap(size_t* dest, size_t value, int pe) { return calls::atomic_swap<size_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
size_t shmem_ctx_size_atomic_swap(shmem_ctx_t ctx, size_t* dest, size_t value, int pe) { return calls::atomic_swap<size_t>(ctx, dest, value, pe); }
ptrdiff_t shmem_ptrdiff_atomic_swap(ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_swap<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
ptrdiff_t shmem_ctx_ptrdiff_atomic_swap(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_swap<ptrdiff_t>(ctx, dest, value, pe); }
int shmem_int_atomic_compare_swap(int* dest, int cond, int value, int pe) { return calls::atomic_compare_swap<int>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
int shmem_ctx_int_atomic_compare_swap(shmem_ctx_t ctx, int* dest, int cond, int value, int pe) { return calls::atomic_compare_swap<int>(ctx, dest, cond, value, pe); }
long shmem_long_atomic_compare_swap(long* dest, long cond, long value, int pe) { return calls::atomic_compare_swap<long>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
long shmem_ctx_long_atomic_compare_swap(shmem_ctx_t ctx, long* dest, long cond, long value, int pe) { return calls::atomic_compare_swap<long>(ctx, dest, cond, value, pe); }
long long shmem_longlong_atomic_compare_swap(long long* dest, long long cond, long long value, int pe) { return calls::atomic_compare_swap<long long>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
long long shmem_ctx_longlong_atomic_compare_swap(shmem_ctx_t ctx, long long* dest, long long cond, long long value, int pe) { return calls::atomic_compare_swap<long long>(ctx, dest, cond, value, pe); }
unsigned int shmem_uint_atomic_compare_swap(unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return calls::atomic_compare_swap<unsigned int>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
unsigned int shmem_ctx_uint_atomic_compare_swap(shmem_ctx_t ctx, unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return calls::atomic_compare_swap<unsigned int>(ctx, dest, cond, value, pe); }
unsigned long shmem_ulong_atomic_compare_swap(unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return calls::atomic_compare_swap<unsigned long>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
unsigned long shmem_ctx_ulong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return calls::atomic_compare_swap<unsigned long>(ctx, dest, cond, value, pe); }
unsigned long long shmem_ulonglong_atomic_compare_swap(unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return calls::atomic_compare_swap<unsigned long long>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
unsigned long long shmem_ctx_ulonglong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return calls::atomic_compare_swap<unsigned long long>(ctx, dest, cond, value, pe); }
int32_t shmem_int32_atomic_compare_swap(int32_t* dest, int32_t cond, int32_t value, int pe) { return calls::atomic_compare_swap<int32_t>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
int32_t shmem_ctx_int32_atomic_compare_swap(shmem_ctx_t ctx, int32_t* dest, int32_t cond, int32_t value, int pe) { return calls::atomic_compare_swap<int32_t>(ctx, dest, cond, value, pe); }
int64_t shmem_int64_atomic_compare_swap(int64_t* dest, int64_t cond, int64_t value, int pe) { return calls::atomic_compare_swap<int64_t>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
int64_t shmem_ctx_int64_atomic_compare_swap(shmem_ctx_t ctx, int64_t* dest, int64_t cond, int64_t value, int pe) { return calls::atomic_compare_swap<int64_t>(ctx, dest, cond, value, pe); }
uint32_t shmem_uint32_atomic_compare_swap(uint32_t* dest, uint32_t cond, uint32_t value, int pe) { return calls::atomic_compare_swap<uint32_t>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
uint32_t shmem_ctx_uint32_atomic_compare_swap(shmem_ctx_t ctx, uint32_t* dest, uint32_t cond, uint32_t value, int pe) { return calls::atomic_compare_swap<uint32_t>(ctx, dest, cond, value, pe); }
uint64_t shmem_uint64_atomic_compare_swap(uint64_t* dest, uint64_t cond, uint64_t value, int pe) { return calls::atomic_compare_swap<uint64_t>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
uint64_t shmem_ctx_uint64_atomic_compare_swap(shmem_ctx_t ctx, uint64_t* dest, uint64_t cond, uint64_t value, int pe) { return calls::atomic_compare_swap<uint64_t>(ctx, dest, cond, value, pe); }
size_t shmem_size_atomic_compare_swap(size_t* dest, size_t cond, size_t value, int pe) { return calls::atomic_compare_swap<size_t>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
size_t shmem_ctx_size_atomic_compare_swap(shmem_ctx_t ctx, size_t* dest, size_t cond, size_t value, int pe) { return calls::atomic_compare_swap<size_t>(ctx, dest, cond, value, pe); }
ptrdiff_t shmem_ptrdiff_atomic_compare_swap(ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe) { return calls::atomic_compare_swap<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, cond, value, pe); }
ptrdiff_t shmem_ctx_ptrdiff_atomic_compare_swap(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe) { return calls::atomic_compare_swap<ptrdiff_t>(ctx, dest, cond, value, pe); }
int shmem_int_atomic_fetch_inc(int* dest, int pe) { return calls::atomic_fetch_inc<int>(SHMEM_CTX_DEFAULT, dest, pe); }
int shmem_ctx_int_atomic_fetch_inc(shmem_ctx_t ctx, int* dest, int pe) { return calls::atomic_fetch_inc<int>(ctx, dest, pe); }
long shmem_long_atomic_fetch_inc(long* dest, int pe) { return calls::atomic_fetch_inc<long>(SHMEM_CTX_DEFAULT, dest, pe); }
long shmem_ctx_long_atomic_fetch_inc(shmem_ctx_t ctx, long* dest, int pe) { return calls::atomic_fetch_inc<long>(ctx, dest, pe); }
long long shmem_longlong_atomic_fetch_inc(long long* dest, int pe) { return calls::atomic_fetch_inc<long long>(SHMEM_CTX_DEFAULT, dest, pe); }
long long shmem_ctx_longlong_atomic_fetch_inc(shmem_ctx_t ctx, long long* dest, int pe) { return calls::atomic_fetch_inc<long long>(ctx, dest, pe); }
unsigned int shmem_uint_atomic_fetch_inc(unsigned int* dest, int pe) { return calls::atomic_fetch_inc<unsigned int>(SHMEM_CTX_DEFAULT, dest, pe); }
unsigned int shmem_ctx_uint_atomic_fetch_inc(shmem_ctx_t ctx, unsigned int* dest, int pe) { return calls::atomic_fetch_inc<unsigned int>(ctx, dest, pe); }
unsigned long shmem_ulong_atomic_fetch_inc(unsigned long* dest, int pe) { return calls::atomic_fetch_inc<unsigned long>(SHMEM_CTX_DEFAULT, dest, pe); }
unsigned long shmem_ctx_ulong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long* dest, int pe) { return calls::atomic_fetch_inc<unsigned long>(ctx, dest, pe); }
unsigned long long shmem_ulonglong_atomic_fetch_inc(unsigned long long* dest, int pe) { return calls::atomic_fetch_inc<unsigned long long>(SHMEM_CTX_DEFAULT, dest, pe); }
unsigned long long shmem_ctx_ulonglong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long long* dest, int pe) { return calls::atomic_fetch_inc<unsigned long long>(ctx, dest, pe); }
int32_t shmem_int32_atomic_fetch_inc(int32_t* dest, int pe) { return calls::atomic_fetch_inc<int32_t>(SHMEM_CTX_DEFAULT, dest, pe); }
int32_t shmem_ctx_int32_atomic_fetch_inc(shmem_ctx_t ctx, int32_t* dest, int pe) { return calls::atomic_fetch_inc<int32_t>(ctx, dest, pe); }
int64_t shmem_int64_atomic_fetch_inc(int64_t* dest, int pe) { return calls::atomic_fetch_inc<int64_t>(SHMEM_CTX_DEFAULT, dest, pe); }
int64_t shmem_ctx_int64_atomic_fetch_inc(shmem_ctx_t ctx, int64_t* dest, int pe) { return calls::atomic_fetch_inc<int64_t>(ctx, dest, pe); }
uint32_t shmem_uint32_atomic_fetch_inc(uint32_t* dest, int pe) { return calls::atomic_fetch_inc<uint32_t>(SHMEM_CTX_DEFAULT, dest, pe); }
uint32_t shmem_ctx_uint32_atomic_fetch_inc(shmem_ctx_t ctx, uint32_t* dest, int pe) { return calls::atomic_fetch_inc<uint32_t>(ctx, dest, pe); }
uint64_t shmem_uint64_atomic_fetch_inc(uint64_t* dest, int pe) { return calls::atomic_fetch_inc<uint64_t>(SHMEM_CTX_DEFAULT, dest, pe); }
uint64_t shmem_ctx_uint64_atomic_fetch_inc(shmem_ctx_t ctx, uint64_t* dest, int pe) { return calls::atomic_fetch_inc<uint64_t>(ctx, dest, pe); }
size_t shmem_size_atomic_fetch_inc(size_t* dest, int pe) { return calls::atomic_fetch_inc<size_t>(SHMEM_CTX_DEFAULT, dest, pe); }
size_t shmem_ctx_size_atomic_fetch_inc(shmem_ctx_t ctx, size_t* dest, int pe) { return calls::atomic_fetch_inc<size_t>(ctx, dest, pe); }
ptrdiff_t shmem_ptrdiff_atomic_fetch_inc(ptrdiff_t* dest, int pe) { return calls::atomic_fetch_inc<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, pe); }
ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_inc(shmem_ctx_t ctx, ptrdiff_t* dest, int pe) { return calls::atomic_fetch_inc<ptrdiff_t>(ctx, dest, pe); }
void shmem_int_atomic_inc(int* dest, int pe) { return calls::atomic_inc<int>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_int_atomic_inc(shmem_ctx_t ctx, int* dest, int pe) { return calls::atomic_inc<int>(ctx, dest, pe); }
void shmem_long_atomic_inc(long* dest, int pe) { return calls::atomic_inc<long>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_long_atomic_inc(shmem_ctx_t ctx, long* dest, int pe) { return calls::atomic_inc<long>(ctx, dest, pe); }
void shmem_longlong_atomic_inc(long long* dest, int pe) { return calls::atomic_inc<long long>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_longlong_atomic_inc(shmem_ctx_t ctx, long long* dest, int pe) { return calls::atomic_inc<long long>(ctx, dest, pe); }
void shmem_uint_atomic_inc(unsigned int* dest, int pe) { return calls::atomic_inc<unsigned int>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_uint_atomic_inc(shmem_ctx_t ctx, unsigned int* dest, int pe) { return calls::atomic_inc<unsigned int>(ctx, dest, pe); }
void shmem_ulong_atomic_inc(unsigned long* dest, int pe) { return calls::atomic_inc<unsigned long>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_ulong_atomic_inc(shmem_ctx_t ctx, unsigned long* dest, int pe) { return calls::atomic_inc<unsigned long>(ctx, dest, pe); }
void shmem_ulonglong_atomic_inc(unsigned long long* dest, int pe) { return calls::atomic_inc<unsigned long long>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_ulonglong_atomic_inc(shmem_ctx_t ctx, unsigned long long* dest, int pe) { return calls::atomic_inc<unsigned long long>(ctx, dest, pe); }
void shmem_int32_atomic_inc(int32_t* dest, int pe) { return calls::atomic_inc<int32_t>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_int32_atomic_inc(shmem_ctx_t ctx, int32_t* dest, int pe) { return calls::atomic_inc<int32_t>(ctx, dest, pe); }
void shmem_int64_atomic_inc(int64_t* dest, int pe) { return calls::atomic_inc<int64_t>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_int64_atomic_inc(shmem_ctx_t ctx, int64_t* dest, int pe) { return calls::atomic_inc<int64_t>(ctx, dest, pe); }
void shmem_uint32_atomic_inc(uint32_t* dest, int pe) { return calls::atomic_inc<uint32_t>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_uint32_atomic_inc(shmem_ctx_t ctx, uint32_t* dest, int pe) { return calls::atomic_inc<uint32_t>(ctx, dest, pe); }
void shmem_uint64_atomic_inc(uint64_t* dest, int pe) { return calls::atomic_inc<uint64_t>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_uint64_atomic_inc(shmem_ctx_t ctx, uint64_t* dest, int pe) { return calls::atomic_inc<uint64_t>(ctx, dest, pe); }
void shmem_size_atomic_inc(size_t* dest, int pe) { return calls::atomic_inc<size_t>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_size_atomic_inc(shmem_ctx_t ctx, size_t* dest, int pe) { return calls::atomic_inc<size_t>(ctx, dest, pe); }
void shmem_ptrdiff_atomic_inc(ptrdiff_t* dest, int pe) { return calls::atomic_inc<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, pe); }
void shmem_ctx_ptrdiff_atomic_inc(shmem_ctx_t ctx, ptrdiff_t* dest, int pe) { return calls::atomic_inc<ptrdiff_t>(ctx, dest, pe); }
int shmem_int_atomic_fetch_add(int* dest, int value, int pe) { return calls::atomic_fetch_add<int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int shmem_ctx_int_atomic_fetch_add(shmem_ctx_t ctx, int* dest, int value, int pe) { return calls::atomic_fetch_add<int>(ctx, dest, value, pe); }
long shmem_long_atomic_fetch_add(long* dest, long value, int pe) { return calls::atomic_fetch_add<long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
long shmem_ctx_long_atomic_fetch_add(shmem_ctx_t ctx, long* dest, long value, int pe) { return calls::atomic_fetch_add<long>(ctx, dest, value, pe); }
long long shmem_longlong_atomic_fetch_add(long long* dest, long long value, int pe) { return calls::atomic_fetch_add<long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
long long shmem_ctx_longlong_atomic_fetch_add(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return calls::atomic_fetch_add<long long>(ctx, dest, value, pe); }
unsigned int shmem_uint_atomic_fetch_add(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_add<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned int shmem_ctx_uint_atomic_fetch_add(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_add<unsigned int>(ctx, dest, value, pe); }
unsigned long shmem_ulong_atomic_fetch_add(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_add<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long shmem_ctx_ulong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_add<unsigned long>(ctx, dest, value, pe); }
unsigned long long shmem_ulonglong_atomic_fetch_add(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_add<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long long shmem_ctx_ulonglong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_add<unsigned long long>(ctx, dest, value, pe); }
int32_t shmem_int32_atomic_fetch_add(int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_add<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int32_t shmem_ctx_int32_atomic_fetch_add(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_add<int32_t>(ctx, dest, value, pe); }
int64_t shmem_int64_atomic_fetch_add(int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_add<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int64_t shmem_ctx_int64_atomic_fetch_add(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_add<int64_t>(ctx, dest, value, pe); }
uint32_t shmem_uint32_atomic_fetch_add(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_add<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint32_t shmem_ctx_uint32_atomic_fetch_add(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_add<uint32_t>(ctx, dest, value, pe); }
uint64_t shmem_uint64_atomic_fetch_add(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_add<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint64_t shmem_ctx_uint64_atomic_fetch_add(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_add<uint64_t>(ctx, dest, value, pe); }
size_t shmem_size_atomic_fetch_add(size_t* dest, size_t value, int pe) { return calls::atomic_fetch_add<size_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
size_t shmem_ctx_size_atomic_fetch_add(shmem_ctx_t ctx, size_t* dest, size_t value, int pe) { return calls::atomic_fetch_add<size_t>(ctx, dest, value, pe); }
ptrdiff_t shmem_ptrdiff_atomic_fetch_add(ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_fetch_add<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_add(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_fetch_add<ptrdiff_t>(ctx, dest, value, pe); }
void shmem_int_atomic_add(int* dest, int value, int pe) { return calls::atomic_add<int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int_atomic_add(shmem_ctx_t ctx, int* dest, int value, int pe) { return calls::atomic_add<int>(ctx, dest, value, pe); }
void shmem_long_atomic_add(long* dest, long value, int pe) { return calls::atomic_add<long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_long_atomic_add(shmem_ctx_t ctx, long* dest, long value, int pe) { return calls::atomic_add<long>(ctx, dest, value, pe); }
void shmem_longlong_atomic_add(long long* dest, long long value, int pe) { return calls::atomic_add<long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_longlong_atomic_add(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return calls::atomic_add<long long>(ctx, dest, value, pe); }
void shmem_uint_atomic_add(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_add<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint_atomic_add(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_add<unsigned int>(ctx, dest, value, pe); }
void shmem_ulong_atomic_add(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_add<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulong_atomic_add(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_add<unsigned long>(ctx, dest, value, pe); }
void shmem_ulonglong_atomic_add(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_add<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_add(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_add<unsigned long long>(ctx, dest, value, pe); }
void shmem_int32_atomic_add(int32_t* dest, int32_t value, int pe) { return calls::atomic_add<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int32_atomic_add(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_add<int32_t>(ctx, dest, value, pe); }
void shmem_int64_atomic_add(int64_t* dest, int64_t value, int pe) { return calls::atomic_add<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int64_atomic_add(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_add<int64_t>(ctx, dest, value, pe); }
void shmem_uint32_atomic_add(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_add<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint32_atomic_add(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_add<uint32_t>(ctx, dest, value, pe); }
void shmem_uint64_atomic_add(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_add<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint64_atomic_add(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_add<uint64_t>(ctx, dest, value, pe); }
void shmem_size_atomic_add(size_t* dest, size_t value, int pe) { return calls::atomic_add<size_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_size_atomic_add(shmem_ctx_t ctx, size_t* dest, size_t value, int pe) { return calls::atomic_add<size_t>(ctx, dest, value, pe); }
void shmem_ptrdiff_atomic_add(ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_add<ptrdiff_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ptrdiff_atomic_add(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_add<ptrdiff_t>(ctx, dest, value, pe); }
unsigned int shmem_uint_atomic_fetch_and(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_and<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned int shmem_ctx_uint_atomic_fetch_and(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_and<unsigned int>(ctx, dest, value, pe); }
unsigned long shmem_ulong_atomic_fetch_and(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_and<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long shmem_ctx_ulong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_and<unsigned long>(ctx, dest, value, pe); }
unsigned long long shmem_ulonglong_atomic_fetch_and(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_and<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long long shmem_ctx_ulonglong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_and<unsigned long long>(ctx, dest, value, pe); }
int32_t shmem_int32_atomic_fetch_and(int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_and<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int32_t shmem_ctx_int32_atomic_fetch_and(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_and<int32_t>(ctx, dest, value, pe); }
int64_t shmem_int64_atomic_fetch_and(int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_and<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int64_t shmem_ctx_int64_atomic_fetch_and(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_and<int64_t>(ctx, dest, value, pe); }
uint32_t shmem_uint32_atomic_fetch_and(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_and<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint32_t shmem_ctx_uint32_atomic_fetch_and(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_and<uint32_t>(ctx, dest, value, pe); }
uint64_t shmem_uint64_atomic_fetch_and(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_and<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint64_t shmem_ctx_uint64_atomic_fetch_and(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_and<uint64_t>(ctx, dest, value, pe); }
void shmem_uint_atomic_and(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_and<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint_atomic_and(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_and<unsigned int>(ctx, dest, value, pe); }
void shmem_ulong_atomic_and(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_and<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulong_atomic_and(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_and<unsigned long>(ctx, dest, value, pe); }
void shmem_ulonglong_atomic_and(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_and<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_and(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_and<unsigned long long>(ctx, dest, value, pe); }
void shmem_int32_atomic_and(int32_t* dest, int32_t value, int pe) { return calls::atomic_and<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int32_atomic_and(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_and<int32_t>(ctx, dest, value, pe); }
void shmem_int64_atomic_and(int64_t* dest, int64_t value, int pe) { return calls::atomic_and<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int64_atomic_and(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_and<int64_t>(ctx, dest, value, pe); }
void shmem_uint32_atomic_and(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_and<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint32_atomic_and(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_and<uint32_t>(ctx, dest, value, pe); }
void shmem_uint64_atomic_and(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_and<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint64_atomic_and(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_and<uint64_t>(ctx, dest, value, pe); }
unsigned int shmem_uint_atomic_fetch_or(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_or<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned int shmem_ctx_uint_atomic_fetch_or(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_or<unsigned int>(ctx, dest, value, pe); }
unsigned long shmem_ulong_atomic_fetch_or(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_or<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long shmem_ctx_ulong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_or<unsigned long>(ctx, dest, value, pe); }
unsigned long long shmem_ulonglong_atomic_fetch_or(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_or<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long long shmem_ctx_ulonglong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_or<unsigned long long>(ctx, dest, value, pe); }
int32_t shmem_int32_atomic_fetch_or(int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_or<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int32_t shmem_ctx_int32_atomic_fetch_or(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_or<int32_t>(ctx, dest, value, pe); }
int64_t shmem_int64_atomic_fetch_or(int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_or<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int64_t shmem_ctx_int64_atomic_fetch_or(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_or<int64_t>(ctx, dest, value, pe); }
uint32_t shmem_uint32_atomic_fetch_or(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_or<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint32_t shmem_ctx_uint32_atomic_fetch_or(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_or<uint32_t>(ctx, dest, value, pe); }
uint64_t shmem_uint64_atomic_fetch_or(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_or<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint64_t shmem_ctx_uint64_atomic_fetch_or(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_or<uint64_t>(ctx, dest, value, pe); }
void shmem_uint_atomic_or(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_or<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint_atomic_or(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_or<unsigned int>(ctx, dest, value, pe); }
void shmem_ulong_atomic_or(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_or<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulong_atomic_or(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_or<unsigned long>(ctx, dest, value, pe); }
void shmem_ulonglong_atomic_or(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_or<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_or(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_or<unsigned long long>(ctx, dest, value, pe); }
void shmem_int32_atomic_or(int32_t* dest, int32_t value, int pe) { return calls::atomic_or<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int32_atomic_or(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_or<int32_t>(ctx, dest, value, pe); }
void shmem_int64_atomic_or(int64_t* dest, int64_t value, int pe) { return calls::atomic_or<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int64_atomic_or(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_or<int64_t>(ctx, dest, value, pe); }
void shmem_uint32_atomic_or(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_or<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint32_atomic_or(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_or<uint32_t>(ctx, dest, value, pe); }
void shmem_uint64_atomic_or(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_or<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint64_atomic_or(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_or<uint64_t>(ctx, dest, value, pe); }
unsigned int shmem_uint_atomic_fetch_xor(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_xor<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned int shmem_ctx_uint_atomic_fetch_xor(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_xor<unsigned int>(ctx, dest, value, pe); }
unsigned long shmem_ulong_atomic_fetch_xor(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_xor<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long shmem_ctx_ulong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_xor<unsigned long>(ctx, dest, value, pe); }
unsigned long long shmem_ulonglong_atomic_fetch_xor(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_xor<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
unsigned long long shmem_ctx_ulonglong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_xor<unsigned long long>(ctx, dest, value, pe); }
int32_t shmem_int32_atomic_fetch_xor(int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_xor<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int32_t shmem_ctx_int32_atomic_fetch_xor(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_xor<int32_t>(ctx, dest, value, pe); }
int64_t shmem_int64_atomic_fetch_xor(int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_xor<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
int64_t shmem_ctx_int64_atomic_fetch_xor(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_xor<int64_t>(ctx, dest, value, pe); }
uint32_t shmem_uint32_atomic_fetch_xor(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_xor<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint32_t shmem_ctx_uint32_atomic_fetch_xor(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_xor<uint32_t>(ctx, dest, value, pe); }
uint64_t shmem_uint64_atomic_fetch_xor(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_xor<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
uint64_t shmem_ctx_uint64_atomic_fetch_xor(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_xor<uint64_t>(ctx, dest, value, pe); }
void shmem_uint_atomic_xor(unsigned int* dest, unsigned int value, int pe) { return calls::atomic_xor<unsigned int>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint_atomic_xor(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_xor<unsigned int>(ctx, dest, value, pe); }
void shmem_ulong_atomic_xor(unsigned long* dest, unsigned long value, int pe) { return calls::atomic_xor<unsigned long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulong_atomic_xor(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_xor<unsigned long>(ctx, dest, value, pe); }
void shmem_ulonglong_atomic_xor(unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_xor<unsigned long long>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_xor(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_xor<unsigned long long>(ctx, dest, value, pe); }
void shmem_int32_atomic_xor(int32_t* dest, int32_t value, int pe) { return calls::atomic_xor<int32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int32_atomic_xor(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe) { return calls::atomic_xor<int32_t>(ctx, dest, value, pe); }
void shmem_int64_atomic_xor(int64_t* dest, int64_t value, int pe) { return calls::atomic_xor<int64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_int64_atomic_xor(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe) { return calls::atomic_xor<int64_t>(ctx, dest, value, pe); }
void shmem_uint32_atomic_xor(uint32_t* dest, uint32_t value, int pe) { return calls::atomic_xor<uint32_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint32_atomic_xor(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_xor<uint32_t>(ctx, dest, value, pe); }
void shmem_uint64_atomic_xor(uint64_t* dest, uint64_t value, int pe) { return calls::atomic_xor<uint64_t>(SHMEM_CTX_DEFAULT, dest, value, pe); }
void shmem_ctx_uint64_atomic_xor(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_xor<uint64_t>(ctx, dest, value, pe); }
void shmem_float_atomic_fetch_nbi(float* fetch, const float* source, int pe) { return calls::atomic_fetch_nbi<float>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_float_atomic_fetch_nbi(shmem_ctx_t ctx, float* fetch, const float* source, int pe) { return calls::atomic_fetch_nbi<float>(ctx, fetch, source, pe); }
void shmem_double_atomic_fetch_nbi(double* fetch, const double* source, int pe) { return calls::atomic_fetch_nbi<double>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_double_atomic_fetch_nbi(shmem_ctx_t ctx, double* fetch, const double* source, int pe) { return calls::atomic_fetch_nbi<double>(ctx, fetch, source, pe); }
void shmem_int_atomic_fetch_nbi(int* fetch, const int* source, int pe) { return calls::atomic_fetch_nbi<int>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_int_atomic_fetch_nbi(shmem_ctx_t ctx, int* fetch, const int* source, int pe) { return calls::atomic_fetch_nbi<int>(ctx, fetch, source, pe); }
void shmem_long_atomic_fetch_nbi(long* fetch, const long* source, int pe) { return calls::atomic_fetch_nbi<long>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_long_atomic_fetch_nbi(shmem_ctx_t ctx, long* fetch, const long* source, int pe) { return calls::atomic_fetch_nbi<long>(ctx, fetch, source, pe); }
void shmem_longlong_atomic_fetch_nbi(long long* fetch, const long long* source, int pe) { return calls::atomic_fetch_nbi<long long>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_longlong_atomic_fetch_nbi(shmem_ctx_t ctx, long long* fetch, const long long* source, int pe) { return calls::atomic_fetch_nbi<long long>(ctx, fetch, source, pe); }
void shmem_uint_atomic_fetch_nbi(unsigned int* fetch, const unsigned int* source, int pe) { return calls::atomic_fetch_nbi<unsigned int>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_uint_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned int* fetch, const unsigned int* source, int pe) { return calls::atomic_fetch_nbi<unsigned int>(ctx, fetch, source, pe); }
void shmem_ulong_atomic_fetch_nbi(unsigned long* fetch, const unsigned long* source, int pe) { return calls::atomic_fetch_nbi<unsigned long>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_ulong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long* fetch, const unsigned long* source, int pe) { return calls::atomic_fetch_nbi<unsigned long>(ctx, fetch, source, pe); }
void shmem_ulonglong_atomic_fetch_nbi(unsigned long long* fetch, const unsigned long long* source, int pe) { return calls::atomic_fetch_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_ulonglong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long long* fetch, const unsigned long long* source, int pe) { return calls::atomic_fetch_nbi<unsigned long long>(ctx, fetch, source, pe); }
void shmem_int32_atomic_fetch_nbi(int32_t* fetch, const int32_t* source, int pe) { return calls::atomic_fetch_nbi<int32_t>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_int32_atomic_fetch_nbi(shmem_ctx_t ctx, int32_t* fetch, const int32_t* source, int pe) { return calls::atomic_fetch_nbi<int32_t>(ctx, fetch, source, pe); }
void shmem_int64_atomic_fetch_nbi(int64_t* fetch, const int64_t* source, int pe) { return calls::atomic_fetch_nbi<int64_t>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_int64_atomic_fetch_nbi(shmem_ctx_t ctx, int64_t* fetch, const int64_t* source, int pe) { return calls::atomic_fetch_nbi<int64_t>(ctx, fetch, source, pe); }
void shmem_uint32_atomic_fetch_nbi(uint32_t* fetch, const uint32_t* source, int pe) { return calls::atomic_fetch_nbi<uint32_t>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_uint32_atomic_fetch_nbi(shmem_ctx_t ctx, uint32_t* fetch, const uint32_t* source, int pe) { return calls::atomic_fetch_nbi<uint32_t>(ctx, fetch, source, pe); }
void shmem_uint64_atomic_fetch_nbi(uint64_t* fetch, const uint64_t* source, int pe) { return calls::atomic_fetch_nbi<uint64_t>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_uint64_atomic_fetch_nbi(shmem_ctx_t ctx, uint64_t* fetch, const uint64_t* source, int pe) { return calls::atomic_fetch_nbi<uint64_t>(ctx, fetch, source, pe); }
void shmem_size_atomic_fetch_nbi(size_t* fetch, const size_t* source, int pe) { return calls::atomic_fetch_nbi<size_t>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_size_atomic_fetch_nbi(shmem_ctx_t ctx, size_t* fetch, const size_t* source, int pe) { return calls::atomic_fetch_nbi<size_t>(ctx, fetch, source, pe); }
void shmem_ptrdiff_atomic_fetch_nbi(ptrdiff_t* fetch, const ptrdiff_t* source, int pe) { return calls::atomic_fetch_nbi<ptrdiff_t>(SHMEM_CTX_DEFAULT, fetch, source, pe); }
void shmem_ctx_ptrdiff_atomic_fetch_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, const ptrdiff_t* source, int pe) { return calls::atomic_fetch_nbi<ptrdiff_t>(ctx, fetch, source, pe); }
void shmem_float_atomic_swap_nbi(float* fetch, float* dest, float value, int pe) { return calls::atomic_swap_nbi<float>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_float_atomic_swap_nbi(shmem_ctx_t ctx, float* fetch, float* dest, float value, int pe) { return calls::atomic_swap_nbi<float>(ctx, fetch, dest, value, pe); }
void shmem_double_atomic_swap_nbi(double* fetch, double* dest, double value, int pe) { return calls::atomic_swap_nbi<double>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_double_atomic_swap_nbi(shmem_ctx_t ctx, double* fetch, double* dest, double value, int pe) { return calls::atomic_swap_nbi<double>(ctx, fetch, dest, value, pe); }
void shmem_int_atomic_swap_nbi(int* fetch, int* dest, int value, int pe) { return calls::atomic_swap_nbi<int>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int_atomic_swap_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe) { return calls::atomic_swap_nbi<int>(ctx, fetch, dest, value, pe); }
void shmem_long_atomic_swap_nbi(long* fetch, long* dest, long value, int pe) { return calls::atomic_swap_nbi<long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_long_atomic_swap_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long value, int pe) { return calls::atomic_swap_nbi<long>(ctx, fetch, dest, value, pe); }
void shmem_longlong_atomic_swap_nbi(long long* fetch, long long* dest, long long value, int pe) { return calls::atomic_swap_nbi<long long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_longlong_atomic_swap_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, long long value, int pe) { return calls::atomic_swap_nbi<long long>(ctx, fetch, dest, value, pe); }
void shmem_uint_atomic_swap_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_swap_nbi<unsigned int>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint_atomic_swap_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_swap_nbi<unsigned int>(ctx, fetch, dest, value, pe); }
void shmem_ulong_atomic_swap_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_swap_nbi<unsigned long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_swap_nbi<unsigned long>(ctx, fetch, dest, value, pe); }
void shmem_ulonglong_atomic_swap_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_swap_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_swap_nbi<unsigned long long>(ctx, fetch, dest, value, pe); }
void shmem_int32_atomic_swap_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_swap_nbi<int32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int32_atomic_swap_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_swap_nbi<int32_t>(ctx, fetch, dest, value, pe); }
void shmem_int64_atomic_swap_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_swap_nbi<int64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int64_atomic_swap_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_swap_nbi<int64_t>(ctx, fetch, dest, value, pe); }
void shmem_uint32_atomic_swap_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_swap_nbi<uint32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint32_atomic_swap_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_swap_nbi<uint32_t>(ctx, fetch, dest, value, pe); }
void shmem_uint64_atomic_swap_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_swap_nbi<uint64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint64_atomic_swap_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_swap_nbi<uint64_t>(ctx, fetch, dest, value, pe); }
void shmem_size_atomic_swap_nbi(size_t* fetch, size_t* dest, size_t value, int pe) { return calls::atomic_swap_nbi<size_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_size_atomic_swap_nbi(shmem_ctx_t ctx, size_t* fetch, size_t* dest, size_t value, int pe) { return calls::atomic_swap_nbi<size_t>(ctx, fetch, dest, value, pe); }
void shmem_ptrdiff_atomic_swap_nbi(ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_swap_nbi<ptrdiff_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ptrdiff_atomic_swap_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_swap_nbi<ptrdiff_t>(ctx, fetch, dest, value, pe); }
void shmem_int_atomic_compare_swap_nbi(int* fetch, int* dest, int cond, int value, int pe) { return calls::atomic_compare_swap_nbi<int>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_int_atomic_compare_swap_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int cond, int value, int pe) { return calls::atomic_compare_swap_nbi<int>(ctx, fetch, dest, cond, value, pe); }
void shmem_long_atomic_compare_swap_nbi(long* fetch, long* dest, long cond, long value, int pe) { return calls::atomic_compare_swap_nbi<long>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_long_atomic_compare_swap_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long cond, long value, int pe) { return calls::atomic_compare_swap_nbi<long>(ctx, fetch, dest, cond, value, pe); }
void shmem_longlong_atomic_compare_swap_nbi(long long* fetch, long long* dest, long long cond, long long value, int pe) { return calls::atomic_compare_swap_nbi<long long>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_longlong_atomic_compare_swap_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, long long cond, long long value, int pe) { return calls::atomic_compare_swap_nbi<long long>(ctx, fetch, dest, cond, value, pe); }
void shmem_uint_atomic_compare_swap_nbi(unsigned int* fetch, unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return calls::atomic_compare_swap_nbi<unsigned int>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_uint_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return calls::atomic_compare_swap_nbi<unsigned int>(ctx, fetch, dest, cond, value, pe); }
void shmem_ulong_atomic_compare_swap_nbi(unsigned long* fetch, unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return calls::atomic_compare_swap_nbi<unsigned long>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_ulong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return calls::atomic_compare_swap_nbi<unsigned long>(ctx, fetch, dest, cond, value, pe); }
void shmem_ulonglong_atomic_compare_swap_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return calls::atomic_compare_swap_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_ulonglong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return calls::atomic_compare_swap_nbi<unsigned long long>(ctx, fetch, dest, cond, value, pe); }
void shmem_int32_atomic_compare_swap_nbi(int32_t* fetch, int32_t* dest, int32_t cond, int32_t value, int pe) { return calls::atomic_compare_swap_nbi<int32_t>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_int32_atomic_compare_swap_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t cond, int32_t value, int pe) { return calls::atomic_compare_swap_nbi<int32_t>(ctx, fetch, dest, cond, value, pe); }
void shmem_int64_atomic_compare_swap_nbi(int64_t* fetch, int64_t* dest, int64_t cond, int64_t value, int pe) { return calls::atomic_compare_swap_nbi<int64_t>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_int64_atomic_compare_swap_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t cond, int64_t value, int pe) { return calls::atomic_compare_swap_nbi<int64_t>(ctx, fetch, dest, cond, value, pe); }
void shmem_uint32_atomic_compare_swap_nbi(uint32_t* fetch, uint32_t* dest, uint32_t cond, uint32_t value, int pe) { return calls::atomic_compare_swap_nbi<uint32_t>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_uint32_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t cond, uint32_t value, int pe) { return calls::atomic_compare_swap_nbi<uint32_t>(ctx, fetch, dest, cond, value, pe); }
void shmem_uint64_atomic_compare_swap_nbi(uint64_t* fetch, uint64_t* dest, uint64_t cond, uint64_t value, int pe) { return calls::atomic_compare_swap_nbi<uint64_t>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_uint64_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t cond, uint64_t value, int pe) { return calls::atomic_compare_swap_nbi<uint64_t>(ctx, fetch, dest, cond, value, pe); }
void shmem_size_atomic_compare_swap_nbi(size_t* fetch, size_t* dest, size_t cond, size_t value, int pe) { return calls::atomic_compare_swap_nbi<size_t>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_size_atomic_compare_swap_nbi(shmem_ctx_t ctx, size_t* fetch, size_t* dest, size_t cond, size_t value, int pe) { return calls::atomic_compare_swap_nbi<size_t>(ctx, fetch, dest, cond, value, pe); }
void shmem_ptrdiff_atomic_compare_swap_nbi(ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe) { return calls::atomic_compare_swap_nbi<ptrdiff_t>(SHMEM_CTX_DEFAULT, fetch, dest, cond, value, pe); }
void shmem_ctx_ptrdiff_atomic_compare_swap_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe) { return calls::atomic_compare_swap_nbi<ptrdiff_t>(ctx, fetch, dest, cond, value, pe); }
void shmem_int_atomic_fetch_inc_nbi(int* fetch, int* dest, int pe) { return calls::atomic_fetch_inc_nbi<int>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_int_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int pe) { return calls::atomic_fetch_inc_nbi<int>(ctx, fetch, dest, pe); }
void shmem_long_atomic_fetch_inc_nbi(long* fetch, long* dest, int pe) { return calls::atomic_fetch_inc_nbi<long>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_long_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long* fetch, long* dest, int pe) { return calls::atomic_fetch_inc_nbi<long>(ctx, fetch, dest, pe); }
void shmem_longlong_atomic_fetch_inc_nbi(long long* fetch, long long* dest, int pe) { return calls::atomic_fetch_inc_nbi<long long>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_longlong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, int pe) { return calls::atomic_fetch_inc_nbi<long long>(ctx, fetch, dest, pe); }
void shmem_uint_atomic_fetch_inc_nbi(unsigned int* fetch, unsigned int* dest, int pe) { return calls::atomic_fetch_inc_nbi<unsigned int>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_uint_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, int pe) { return calls::atomic_fetch_inc_nbi<unsigned int>(ctx, fetch, dest, pe); }
void shmem_ulong_atomic_fetch_inc_nbi(unsigned long* fetch, unsigned long* dest, int pe) { return calls::atomic_fetch_inc_nbi<unsigned long>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_ulong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, int pe) { return calls::atomic_fetch_inc_nbi<unsigned long>(ctx, fetch, dest, pe); }
void shmem_ulonglong_atomic_fetch_inc_nbi(unsigned long long* fetch, unsigned long long* dest, int pe) { return calls::atomic_fetch_inc_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_ulonglong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, int pe) { return calls::atomic_fetch_inc_nbi<unsigned long long>(ctx, fetch, dest, pe); }
void shmem_int32_atomic_fetch_inc_nbi(int32_t* fetch, int32_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<int32_t>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_int32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<int32_t>(ctx, fetch, dest, pe); }
void shmem_int64_atomic_fetch_inc_nbi(int64_t* fetch, int64_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<int64_t>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_int64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<int64_t>(ctx, fetch, dest, pe); }
void shmem_uint32_atomic_fetch_inc_nbi(uint32_t* fetch, uint32_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<uint32_t>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_uint32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<uint32_t>(ctx, fetch, dest, pe); }
void shmem_uint64_atomic_fetch_inc_nbi(uint64_t* fetch, uint64_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<uint64_t>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_uint64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<uint64_t>(ctx, fetch, dest, pe); }
void shmem_size_atomic_fetch_inc_nbi(size_t* fetch, size_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<size_t>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_size_atomic_fetch_inc_nbi(shmem_ctx_t ctx, size_t* fetch, size_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<size_t>(ctx, fetch, dest, pe); }
void shmem_ptrdiff_atomic_fetch_inc_nbi(ptrdiff_t* fetch, ptrdiff_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<ptrdiff_t>(SHMEM_CTX_DEFAULT, fetch, dest, pe); }
void shmem_ctx_ptrdiff_atomic_fetch_inc_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, ptrdiff_t* dest, int pe) { return calls::atomic_fetch_inc_nbi<ptrdiff_t>(ctx, fetch, dest, pe); }
void shmem_int_atomic_fetch_add_nbi(int* fetch, int* dest, int value, int pe) { return calls::atomic_fetch_add_nbi<int>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int_atomic_fetch_add_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe) { return calls::atomic_fetch_add_nbi<int>(ctx, fetch, dest, value, pe); }
void shmem_long_atomic_fetch_add_nbi(long* fetch, long* dest, long value, int pe) { return calls::atomic_fetch_add_nbi<long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_long_atomic_fetch_add_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long value, int pe) { return calls::atomic_fetch_add_nbi<long>(ctx, fetch, dest, value, pe); }
void shmem_longlong_atomic_fetch_add_nbi(long long* fetch, long long* dest, long long value, int pe) { return calls::atomic_fetch_add_nbi<long long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_longlong_atomic_fetch_add_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, long long value, int pe) { return calls::atomic_fetch_add_nbi<long long>(ctx, fetch, dest, value, pe); }
void shmem_uint_atomic_fetch_add_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_add_nbi<unsigned int>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_add_nbi<unsigned int>(ctx, fetch, dest, value, pe); }
void shmem_ulong_atomic_fetch_add_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_add_nbi<unsigned long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_add_nbi<unsigned long>(ctx, fetch, dest, value, pe); }
void shmem_ulonglong_atomic_fetch_add_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_add_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_add_nbi<unsigned long long>(ctx, fetch, dest, value, pe); }
void shmem_int32_atomic_fetch_add_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_add_nbi<int32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int32_atomic_fetch_add_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_add_nbi<int32_t>(ctx, fetch, dest, value, pe); }
void shmem_int64_atomic_fetch_add_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_add_nbi<int64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int64_atomic_fetch_add_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_add_nbi<int64_t>(ctx, fetch, dest, value, pe); }
void shmem_uint32_atomic_fetch_add_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_add_nbi<uint32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint32_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_add_nbi<uint32_t>(ctx, fetch, dest, value, pe); }
void shmem_uint64_atomic_fetch_add_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_add_nbi<uint64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint64_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_add_nbi<uint64_t>(ctx, fetch, dest, value, pe); }
void shmem_size_atomic_fetch_add_nbi(size_t* fetch, size_t* dest, size_t value, int pe) { return calls::atomic_fetch_add_nbi<size_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_size_atomic_fetch_add_nbi(shmem_ctx_t ctx, size_t* fetch, size_t* dest, size_t value, int pe) { return calls::atomic_fetch_add_nbi<size_t>(ctx, fetch, dest, value, pe); }
void shmem_ptrdiff_atomic_fetch_add_nbi(ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_fetch_add_nbi<ptrdiff_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ptrdiff_atomic_fetch_add_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::atomic_fetch_add_nbi<ptrdiff_t>(ctx, fetch, dest, value, pe); }
void shmem_uint_atomic_fetch_and_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_and_nbi<unsigned int>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_and_nbi<unsigned int>(ctx, fetch, dest, value, pe); }
void shmem_ulong_atomic_fetch_and_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_and_nbi<unsigned long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_and_nbi<unsigned long>(ctx, fetch, dest, value, pe); }
void shmem_ulonglong_atomic_fetch_and_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_and_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_and_nbi<unsigned long long>(ctx, fetch, dest, value, pe); }
void shmem_int32_atomic_fetch_and_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_and_nbi<int32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int32_atomic_fetch_and_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_and_nbi<int32_t>(ctx, fetch, dest, value, pe); }
void shmem_int64_atomic_fetch_and_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_and_nbi<int64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int64_atomic_fetch_and_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_and_nbi<int64_t>(ctx, fetch, dest, value, pe); }
void shmem_uint32_atomic_fetch_and_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_and_nbi<uint32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint32_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_and_nbi<uint32_t>(ctx, fetch, dest, value, pe); }
void shmem_uint64_atomic_fetch_and_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_and_nbi<uint64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint64_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_and_nbi<uint64_t>(ctx, fetch, dest, value, pe); }
void shmem_uint_atomic_fetch_or_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_or_nbi<unsigned int>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_or_nbi<unsigned int>(ctx, fetch, dest, value, pe); }
void shmem_ulong_atomic_fetch_or_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_or_nbi<unsigned long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_or_nbi<unsigned long>(ctx, fetch, dest, value, pe); }
void shmem_ulonglong_atomic_fetch_or_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_or_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_or_nbi<unsigned long long>(ctx, fetch, dest, value, pe); }
void shmem_int32_atomic_fetch_or_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_or_nbi<int32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int32_atomic_fetch_or_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_or_nbi<int32_t>(ctx, fetch, dest, value, pe); }
void shmem_int64_atomic_fetch_or_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_or_nbi<int64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int64_atomic_fetch_or_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_or_nbi<int64_t>(ctx, fetch, dest, value, pe); }
void shmem_uint32_atomic_fetch_or_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_or_nbi<uint32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint32_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_or_nbi<uint32_t>(ctx, fetch, dest, value, pe); }
void shmem_uint64_atomic_fetch_or_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_or_nbi<uint64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint64_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_or_nbi<uint64_t>(ctx, fetch, dest, value, pe); }
void shmem_uint_atomic_fetch_xor_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_xor_nbi<unsigned int>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return calls::atomic_fetch_xor_nbi<unsigned int>(ctx, fetch, dest, value, pe); }
void shmem_ulong_atomic_fetch_xor_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_xor_nbi<unsigned long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return calls::atomic_fetch_xor_nbi<unsigned long>(ctx, fetch, dest, value, pe); }
void shmem_ulonglong_atomic_fetch_xor_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_xor_nbi<unsigned long long>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_ulonglong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return calls::atomic_fetch_xor_nbi<unsigned long long>(ctx, fetch, dest, value, pe); }
void shmem_int32_atomic_fetch_xor_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_xor_nbi<int32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe) { return calls::atomic_fetch_xor_nbi<int32_t>(ctx, fetch, dest, value, pe); }
void shmem_int64_atomic_fetch_xor_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_xor_nbi<int64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_int64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe) { return calls::atomic_fetch_xor_nbi<int64_t>(ctx, fetch, dest, value, pe); }
void shmem_uint32_atomic_fetch_xor_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_xor_nbi<uint32_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe) { return calls::atomic_fetch_xor_nbi<uint32_t>(ctx, fetch, dest, value, pe); }
void shmem_uint64_atomic_fetch_xor_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_xor_nbi<uint64_t>(SHMEM_CTX_DEFAULT, fetch, dest, value, pe); }
void shmem_ctx_uint64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe) { return calls::atomic_fetch_xor_nbi<uint64_t>(ctx, fetch, dest, value, pe); }
void shmem_short_wait_until(short* ivar, int cmp, short cmp_value) { return calls::wait_until<short>(ivar, cmp, cmp_value); }
void shmem_int_wait_until(int* ivar, int cmp, int cmp_value) { return calls::wait_until<int>(ivar, cmp, cmp_value); }
void shmem_long_wait_until(long* ivar, int cmp, long cmp_value) { return calls::wait_until<long>(ivar, cmp, cmp_value); }
void shmem_longlong_wait_until(long long* ivar, int cmp, long long cmp_value) { return calls::wait_until<long long>(ivar, cmp, cmp_value); }
void shmem_ushort_wait_until(unsigned short* ivar, int cmp, unsigned short cmp_value) { return calls::wait_until<unsigned short>(ivar, cmp, cmp_value); }
void shmem_uint_wait_until(unsigned int* ivar, int cmp, unsigned int cmp_value) { return calls::wait_until<unsigned int>(ivar, cmp, cmp_value); }
void shmem_ulong_wait_until(unsigned long* ivar, int cmp, unsigned long cmp_value) { return calls::wait_until<unsigned long>(ivar, cmp, cmp_value); }
void shmem_ulonglong_wait_until(unsigned long long* ivar, int cmp, unsigned long long cmp_value) { return calls::wait_until<unsigned long long>(ivar, cmp, cmp_value); }
void shmem_int32_wait_until(int32_t* ivar, int cmp, int32_t cmp_value) { return calls::wait_until<int32_t>(ivar, cmp, cmp_value); }
void shmem_int64_wait_until(int64_t* ivar, int cmp, int64_t cmp_value) { return calls::wait_until<int64_t>(ivar, cmp, cmp_value); }
void shmem_uint32_wait_until(uint32_t* ivar, int cmp, uint32_t cmp_value) { return calls::wait_until<uint32_t>(ivar, cmp, cmp_value); }
void shmem_uint64_wait_until(uint64_t* ivar, int cmp, uint64_t cmp_value) { return calls::wait_until<uint64_t>(ivar, cmp, cmp_value); }
void shmem_size_wait_until(size_t* ivar, int cmp, size_t cmp_value) { return calls::wait_until<size_t>(ivar, cmp, cmp_value); }
void shmem_ptrdiff_wait_until(ptrdiff_t* ivar, int cmp, ptrdiff_t cmp_value) { return calls::wait_until<ptrdiff_t>(ivar, cmp, cmp_value); }
void shmem_short_wait_until_all(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value) { return calls::wait_until_all<short>(ivars, nelems, status, cmp, cmp_value); }
void shmem_int_wait_until_all(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value) { return calls::wait_until_all<int>(ivars, nelems, status, cmp, cmp_value); }
void shmem_long_wait_until_all(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value) { return calls::wait_until_all<long>(ivars, nelems, status, cmp, cmp_value); }
void shmem_longlong_wait_until_all(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value) { return calls::wait_until_all<long long>(ivars, nelems, status, cmp, cmp_value); }
void shmem_ushort_wait_until_all(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value) { return calls::wait_until_all<unsigned short>(ivars, nelems, status, cmp, cmp_value); }
void shmem_uint_wait_until_all(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value) { return calls::wait_until_all<unsigned int>(ivars, nelems, status, cmp, cmp_value); }
void shmem_ulong_wait_until_all(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value) { return calls::wait_until_all<unsigned long>(ivars, nelems, status, cmp, cmp_value); }
void shmem_ulonglong_wait_until_all(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value) { return calls::wait_until_all<unsigned long long>(ivars, nelems, status, cmp, cmp_value); }
void shmem_int32_wait_until_all(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t cmp_value) { return calls::wait_until_all<int32_t>(ivars, nelems, status, cmp, cmp_value); }
void shmem_int64_wait_until_all(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t cmp_value) { return calls::wait_until_all<int64_t>(ivars, nelems, status, cmp, cmp_value); }
void shmem_uint32_wait_until_all(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t cmp_value) { return calls::wait_until_all<uint32_t>(ivars, nelems, status, cmp, cmp_value); }
void shmem_uint64_wait_until_all(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t cmp_value) { return calls::wait_until_all<uint64_t>(ivars, nelems, status, cmp, cmp_value); }
void shmem_size_wait_until_all(size_t* ivars, size_t nelems, const int* status, int cmp, size_t cmp_value) { return calls::wait_until_all<size_t>(ivars, nelems, status, cmp, cmp_value); }
void shmem_ptrdiff_wait_until_all(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t cmp_value) { return calls::wait_until_all<ptrdiff_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_short_wait_until_any(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value) { return calls::wait_until_any<short>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_int_wait_until_any(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value) { return calls::wait_until_any<int>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_long_wait_until_any(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value) { return calls::wait_until_any<long>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_longlong_wait_until_any(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value) { return calls::wait_until_any<long long>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_ushort_wait_until_any(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value) { return calls::wait_until_any<unsigned short>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_uint_wait_until_any(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value) { return calls::wait_until_any<unsigned int>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_ulong_wait_until_any(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value) { return calls::wait_until_any<unsigned long>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_ulonglong_wait_until_any(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value) { return calls::wait_until_any<unsigned long long>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_int32_wait_until_any(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t cmp_value) { return calls::wait_until_any<int32_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_int64_wait_until_any(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t cmp_value) { return calls::wait_until_any<int64_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_uint32_wait_until_any(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t cmp_value) { return calls::wait_until_any<uint32_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_uint64_wait_until_any(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t cmp_value) { return calls::wait_until_any<uint64_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_size_wait_until_any(size_t* ivars, size_t nelems, const int* status, int cmp, size_t cmp_value) { return calls::wait_until_any<size_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_ptrdiff_wait_until_any(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t cmp_value) { return calls::wait_until_any<ptrdiff_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_short_wait_until_some(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short cmp_value) { return calls::wait_until_some<short>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_int_wait_until_some(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int cmp_value) { return calls::wait_until_some<int>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_long_wait_until_some(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long cmp_value) { return calls::wait_until_some<long>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_longlong_wait_until_some(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long cmp_value) { return calls::wait_until_some<long long>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_ushort_wait_until_some(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short cmp_value) { return calls::wait_until_some<unsigned short>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_uint_wait_until_some(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int cmp_value) { return calls::wait_until_some<unsigned int>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_ulong_wait_until_some(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long cmp_value) { return calls::wait_until_some<unsigned long>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_ulonglong_wait_until_some(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long cmp_value) { return calls::wait_until_some<unsigned long long>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_int32_wait_until_some(int32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int32_t cmp_value) { return calls::wait_until_some<int32_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_int64_wait_until_some(int64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int64_t cmp_value) { return calls::wait_until_some<int64_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_uint32_wait_until_some(uint32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint32_t cmp_value) { return calls::wait_until_some<uint32_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_uint64_wait_until_some(uint64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint64_t cmp_value) { return calls::wait_until_some<uint64_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_size_wait_until_some(size_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, size_t cmp_value) { return calls::wait_until_some<size_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_ptrdiff_wait_until_some(ptrdiff_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, ptrdiff_t cmp_value) { return calls::wait_until_some<ptrdiff_t>(ivars, nelems, indices, status, cmp, cmp_value); }
void shmem_short_wait_until_all_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values) { return calls::wait_until_all_vector<short>(ivars, nelems, status, cmp, cmp_values); }
void shmem_int_wait_until_all_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values) { return calls::wait_until_all_vector<int>(ivars, nelems, status, cmp, cmp_values); }
void shmem_long_wait_until_all_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values) { return calls::wait_until_all_vector<long>(ivars, nelems, status, cmp, cmp_values); }
void shmem_longlong_wait_until_all_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values) { return calls::wait_until_all_vector<long long>(ivars, nelems, status, cmp, cmp_values); }
void shmem_ushort_wait_until_all_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values) { return calls::wait_until_all_vector<unsigned short>(ivars, nelems, status, cmp, cmp_values); }
void shmem_uint_wait_until_all_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values) { return calls::wait_until_all_vector<unsigned int>(ivars, nelems, status, cmp, cmp_values); }
void shmem_ulong_wait_until_all_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values) { return calls::wait_until_all_vector<unsigned long>(ivars, nelems, status, cmp, cmp_values); }
void shmem_ulonglong_wait_until_all_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values) { return calls::wait_until_all_vector<unsigned long long>(ivars, nelems, status, cmp, cmp_values); }
void shmem_int32_wait_until_all_vector(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t* cmp_values) { return calls::wait_until_all_vector<int32_t>(ivars, nelems, status, cmp, cmp_values); }
void shmem_int64_wait_until_all_vector(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t* cmp_values) { return calls::wait_until_all_vector<int64_t>(ivars, nelems, status, cmp, cmp_values); }
void shmem_uint32_wait_until_all_vector(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t* cmp_values) { return calls::wait_until_all_vector<uint32_t>(ivars, nelems, status, cmp, cmp_values); }
void shmem_uint64_wait_until_all_vector(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t* cmp_values) { return calls::wait_until_all_vector<uint64_t>(ivars, nelems, status, cmp, cmp_values); }
void shmem_size_wait_until_all_vector(size_t* ivars, size_t nelems, const int* status, int cmp, size_t* cmp_values) { return calls::wait_until_all_vector<size_t>(ivars, nelems, status, cmp, cmp_values); }
void shmem_ptrdiff_wait_until_all_vector(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t* cmp_values) { return calls::wait_until_all_vector<ptrdiff_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_short_wait_until_any_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values) { return calls::wait_until_any_vector<short>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_int_wait_until_any_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values) { return calls::wait_until_any_vector<int>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_long_wait_until_any_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values) { return calls::wait_until_any_vector<long>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_longlong_wait_until_any_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values) { return calls::wait_until_any_vector<long long>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_ushort_wait_until_any_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values) { return calls::wait_until_any_vector<unsigned short>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_uint_wait_until_any_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values) { return calls::wait_until_any_vector<unsigned int>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_ulong_wait_until_any_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values) { return calls::wait_until_any_vector<unsigned long>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_ulonglong_wait_until_any_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values) { return calls::wait_until_any_vector<unsigned long long>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_int32_wait_until_any_vector(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t* cmp_values) { return calls::wait_until_any_vector<int32_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_int64_wait_until_any_vector(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t* cmp_values) { return calls::wait_until_any_vector<int64_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_uint32_wait_until_any_vector(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t* cmp_values) { return calls::wait_until_any_vector<uint32_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_uint64_wait_until_any_vector(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t* cmp_values) { return calls::wait_until_any_vector<uint64_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_size_wait_until_any_vector(size_t* ivars, size_t nelems, const int* status, int cmp, size_t* cmp_values) { return calls::wait_until_any_vector<size_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_ptrdiff_wait_until_any_vector(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t* cmp_values) { return calls::wait_until_any_vector<ptrdiff_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_short_wait_until_some_vector(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short* cmp_values) { return calls::wait_until_some_vector<short>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_int_wait_until_some_vector(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int* cmp_values) { return calls::wait_until_some_vector<int>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_long_wait_until_some_vector(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long* cmp_values) { return calls::wait_until_some_vector<long>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_longlong_wait_until_some_vector(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long* cmp_values) { return calls::wait_until_some_vector<long long>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_ushort_wait_until_some_vector(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short* cmp_values) { return calls::wait_until_some_vector<unsigned short>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_uint_wait_until_some_vector(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int* cmp_values) { return calls::wait_until_some_vector<unsigned int>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_ulong_wait_until_some_vector(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long* cmp_values) { return calls::wait_until_some_vector<unsigned long>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_ulonglong_wait_until_some_vector(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long* cmp_values) { return calls::wait_until_some_vector<unsigned long long>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_int32_wait_until_some_vector(int32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int32_t* cmp_values) { return calls::wait_until_some_vector<int32_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_int64_wait_until_some_vector(int64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int64_t* cmp_values) { return calls::wait_until_some_vector<int64_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_uint32_wait_until_some_vector(uint32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint32_t* cmp_values) { return calls::wait_until_some_vector<uint32_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_uint64_wait_until_some_vector(uint64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint64_t* cmp_values) { return calls::wait_until_some_vector<uint64_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_size_wait_until_some_vector(size_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, size_t* cmp_values) { return calls::wait_until_some_vector<size_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_ptrdiff_wait_until_some_vector(ptrdiff_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, ptrdiff_t* cmp_values) { return calls::wait_until_some_vector<ptrdiff_t>(ivars, nelems, indices, status, cmp, cmp_values); }
int shmem_short_test(short* ivar, int cmp, short cmp_value) { return calls::test<short>(ivar, cmp, cmp_value); }
int shmem_int_test(int* ivar, int cmp, int cmp_value) { return calls::test<int>(ivar, cmp, cmp_value); }
int shmem_long_test(long* ivar, int cmp, long cmp_value) { return calls::test<long>(ivar, cmp, cmp_value); }
int shmem_longlong_test(long long* ivar, int cmp, long long cmp_value) { return calls::test<long long>(ivar, cmp, cmp_value); }
int shmem_ushort_test(unsigned short* ivar, int cmp, unsigned short cmp_value) { return calls::test<unsigned short>(ivar, cmp, cmp_value); }
int shmem_uint_test(unsigned int* ivar, int cmp, unsigned int cmp_value) { return calls::test<unsigned int>(ivar, cmp, cmp_value); }
int shmem_ulong_test(unsigned long* ivar, int cmp, unsigned long cmp_value) { return calls::test<unsigned long>(ivar, cmp, cmp_value); }
int shmem_ulonglong_test(unsigned long long* ivar, int cmp, unsigned long long cmp_value) { return calls::test<unsigned long long>(ivar, cmp, cmp_value); }
int shmem_int32_test(int32_t* ivar, int cmp, int32_t cmp_value) { return calls::test<int32_t>(ivar, cmp, cmp_value); }
int shmem_int64_test(int64_t* ivar, int cmp, int64_t cmp_value) { return calls::test<int64_t>(ivar, cmp, cmp_value); }
int shmem_uint32_test(uint32_t* ivar, int cmp, uint32_t cmp_value) { return calls::test<uint32_t>(ivar, cmp, cmp_value); }
int shmem_uint64_test(uint64_t* ivar, int cmp, uint64_t cmp_value) { return calls::test<uint64_t>(ivar, cmp, cmp_value); }
int shmem_size_test(size_t* ivar, int cmp, size_t cmp_value) { return calls::test<size_t>(ivar, cmp, cmp_value); }
int shmem_ptrdiff_test(ptrdiff_t* ivar, int cmp, ptrdiff_t cmp_value) { return calls::test<ptrdiff_t>(ivar, cmp, cmp_value); }
int shmem_short_test_all(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value) { return calls::test_all<short>(ivars, nelems, status, cmp, cmp_value); }
int shmem_int_test_all(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value) { return calls::test_all<int>(ivars, nelems, status, cmp, cmp_value); }
int shmem_long_test_all(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value) { return calls::test_all<long>(ivars, nelems, status, cmp, cmp_value); }
int shmem_longlong_test_all(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value) { return calls::test_all<long long>(ivars, nelems, status, cmp, cmp_value); }
int shmem_ushort_test_all(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value) { return calls::test_all<unsigned short>(ivars, nelems, status, cmp, cmp_value); }
int shmem_uint_test_all(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value) { return calls::test_all<unsigned int>(ivars, nelems, status, cmp, cmp_value); }
int shmem_ulong_test_all(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value) { return calls::test_all<unsigned long>(ivars, nelems, status, cmp, cmp_value); }
int shmem_ulonglong_test_all(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value) { return calls::test_all<unsigned long long>(ivars, nelems, status, cmp, cmp_value); }
int shmem_int32_test_all(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t cmp_value) { return calls::test_all<int32_t>(ivars, nelems, status, cmp, cmp_value); }
int shmem_int64_test_all(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t cmp_value) { return calls::test_all<int64_t>(ivars, nelems, status, cmp, cmp_value); }
int shmem_uint32_test_all(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t cmp_value) { return calls::test_all<uint32_t>(ivars, nelems, status, cmp, cmp_value); }
int shmem_uint64_test_all(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t cmp_value) { return calls::test_all<uint64_t>(ivars, nelems, status, cmp, cmp_value); }
int shmem_size_test_all(size_t* ivars, size_t nelems, const int* status, int cmp, size_t cmp_value) { return calls::test_all<size_t>(ivars, nelems, status, cmp, cmp_value); }
int shmem_ptrdiff_test_all(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t cmp_value) { return calls::test_all<ptrdiff_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_short_test_any(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value) { return calls::test_any<short>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_int_test_any(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value) { return calls::test_any<int>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_long_test_any(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value) { return calls::test_any<long>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_longlong_test_any(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value) { return calls::test_any<long long>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_ushort_test_any(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value) { return calls::test_any<unsigned short>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_uint_test_any(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value) { return calls::test_any<unsigned int>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_ulong_test_any(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value) { return calls::test_any<unsigned long>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_ulonglong_test_any(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value) { return calls::test_any<unsigned long long>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_int32_test_any(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t cmp_value) { return calls::test_any<int32_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_int64_test_any(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t cmp_value) { return calls::test_any<int64_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_uint32_test_any(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t cmp_value) { return calls::test_any<uint32_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_uint64_test_any(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t cmp_value) { return calls::test_any<uint64_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_size_test_any(size_t* ivars, size_t nelems, const int* status, int cmp, size_t cmp_value) { return calls::test_any<size_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_ptrdiff_test_any(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t cmp_value) { return calls::test_any<ptrdiff_t>(ivars, nelems, status, cmp, cmp_value); }
size_t shmem_short_test_some(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short cmp_value) { return calls::test_some<short>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_int_test_some(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int cmp_value) { return calls::test_some<int>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_long_test_some(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long cmp_value) { return calls::test_some<long>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_longlong_test_some(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long cmp_value) { return calls::test_some<long long>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_ushort_test_some(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short cmp_value) { return calls::test_some<unsigned short>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_uint_test_some(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int cmp_value) { return calls::test_some<unsigned int>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_ulong_test_some(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long cmp_value) { return calls::test_some<unsigned long>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_ulonglong_test_some(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long cmp_value) { return calls::test_some<unsigned long long>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_int32_test_some(int32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int32_t cmp_value) { return calls::test_some<int32_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_int64_test_some(int64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int64_t cmp_value) { return calls::test_some<int64_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_uint32_test_some(uint32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint32_t cmp_value) { return calls::test_some<uint32_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_uint64_test_some(uint64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint64_t cmp_value) { return calls::test_some<uint64_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_size_test_some(size_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, size_t cmp_value) { return calls::test_some<size_t>(ivars, nelems, indices, status, cmp, cmp_value); }
size_t shmem_ptrdiff_test_some(ptrdiff_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, ptrdiff_t cmp_value) { return calls::test_some<ptrdiff_t>(ivars, nelems, indices, status, cmp, cmp_value); }
int shmem_short_test_all_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values) { return calls::test_all_vector<short>(ivars, nelems, status, cmp, cmp_values); }
int shmem_int_test_all_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values) { return calls::test_all_vector<int>(ivars, nelems, status, cmp, cmp_values); }
int shmem_long_test_all_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values) { return calls::test_all_vector<long>(ivars, nelems, status, cmp, cmp_values); }
int shmem_longlong_test_all_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values) { return calls::test_all_vector<long long>(ivars, nelems, status, cmp, cmp_values); }
int shmem_ushort_test_all_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values) { return calls::test_all_vector<unsigned short>(ivars, nelems, status, cmp, cmp_values); }
int shmem_uint_test_all_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values) { return calls::test_all_vector<unsigned int>(ivars, nelems, status, cmp, cmp_values); }
int shmem_ulong_test_all_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values) { return calls::test_all_vector<unsigned long>(ivars, nelems, status, cmp, cmp_values); }
int shmem_ulonglong_test_all_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values) { return calls::test_all_vector<unsigned long long>(ivars, nelems, status, cmp, cmp_values); }
int shmem_int32_test_all_vector(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t* cmp_values) { return calls::test_all_vector<int32_t>(ivars, nelems, status, cmp, cmp_values); }
int shmem_int64_test_all_vector(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t* cmp_values) { return calls::test_all_vector<int64_t>(ivars, nelems, status, cmp, cmp_values); }
int shmem_uint32_test_all_vector(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t* cmp_values) { return calls::test_all_vector<uint32_t>(ivars, nelems, status, cmp, cmp_values); }
int shmem_uint64_test_all_vector(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t* cmp_values) { return calls::test_all_vector<uint64_t>(ivars, nelems, status, cmp, cmp_values); }
int shmem_size_test_all_vector(size_t* ivars, size_t nelems, const int* status, int cmp, size_t* cmp_values) { return calls::test_all_vector<size_t>(ivars, nelems, status, cmp, cmp_values); }
int shmem_ptrdiff_test_all_vector(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t* cmp_values) { return calls::test_all_vector<ptrdiff_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_short_test_any_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values) { return calls::test_any_vector<short>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_int_test_any_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values) { return calls::test_any_vector<int>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_long_test_any_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values) { return calls::test_any_vector<long>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_longlong_test_any_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values) { return calls::test_any_vector<long long>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_ushort_test_any_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values) { return calls::test_any_vector<unsigned short>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_uint_test_any_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values) { return calls::test_any_vector<unsigned int>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_ulong_test_any_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values) { return calls::test_any_vector<unsigned long>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_ulonglong_test_any_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values) { return calls::test_any_vector<unsigned long long>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_int32_test_any_vector(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t* cmp_values) { return calls::test_any_vector<int32_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_int64_test_any_vector(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t* cmp_values) { return calls::test_any_vector<int64_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_uint32_test_any_vector(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t* cmp_values) { return calls::test_any_vector<uint32_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_uint64_test_any_vector(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t* cmp_values) { return calls::test_any_vector<uint64_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_size_test_any_vector(size_t* ivars, size_t nelems, const int* status, int cmp, size_t* cmp_values) { return calls::test_any_vector<size_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_ptrdiff_test_any_vector(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t* cmp_values) { return calls::test_any_vector<ptrdiff_t>(ivars, nelems, status, cmp, cmp_values); }
size_t shmem_short_test_some_vector(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short* cmp_values) { return calls::test_some_vector<short>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_int_test_some_vector(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int* cmp_values) { return calls::test_some_vector<int>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_long_test_some_vector(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long* cmp_values) { return calls::test_some_vector<long>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_longlong_test_some_vector(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long* cmp_values) { return calls::test_some_vector<long long>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_ushort_test_some_vector(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short* cmp_values) { return calls::test_some_vector<unsigned short>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_uint_test_some_vector(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int* cmp_values) { return calls::test_some_vector<unsigned int>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_ulong_test_some_vector(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long* cmp_values) { return calls::test_some_vector<unsigned long>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_ulonglong_test_some_vector(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long* cmp_values) { return calls::test_some_vector<unsigned long long>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_int32_test_some_vector(int32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int32_t* cmp_values) { return calls::test_some_vector<int32_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_int64_test_some_vector(int64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int64_t* cmp_values) { return calls::test_some_vector<int64_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_uint32_test_some_vector(uint32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint32_t* cmp_values) { return calls::test_some_vector<uint32_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_uint64_test_some_vector(uint64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint64_t* cmp_values) { return calls::test_some_vector<uint64_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_size_test_some_vector(size_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, size_t* cmp_values) { return calls::test_some_vector<size_t>(ivars, nelems, indices, status, cmp, cmp_values); }
size_t shmem_ptrdiff_test_some_vector(ptrdiff_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, ptrdiff_t* cmp_values) { return calls::test_some_vector<ptrdiff_t>(ivars, nelems, indices, status, cmp, cmp_values); }
int shmem_float_broadcast(shmem_team_t team, float* dest, const float* source, size_t nelems, int PE_root) { return calls::broadcast<float>(team, dest, source, nelems, PE_root); }
int shmem_double_broadcast(shmem_team_t team, double* dest, const double* source, size_t nelems, int PE_root) { return calls::broadcast<double>(team, dest, source, nelems, PE_root); }
int shmem_longdouble_broadcast(shmem_team_t team, long double* dest, const long double* source, size_t nelems, int PE_root) { return calls::broadcast<long double>(team, dest, source, nelems, PE_root); }
int shmem_char_broadcast(shmem_team_t team, char* dest, const char* source, size_t nelems, int PE_root) { return calls::broadcast<char>(team, dest, source, nelems, PE_root); }
int shmem_schar_broadcast(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems, int PE_root) { return calls::broadcast<signed char>(team, dest, source, nelems, PE_root); }
int shmem_short_broadcast(shmem_team_t team, short* dest, const short* source, size_t nelems, int PE_root) { return calls::broadcast<short>(team, dest, source, nelems, PE_root); }
int shmem_int_broadcast(shmem_team_t team, int* dest, const int* source, size_t nelems, int PE_root) { return calls::broadcast<int>(team, dest, source, nelems, PE_root); }
int shmem_long_broadcast(shmem_team_t team, long* dest, const long* source, size_t nelems, int PE_root) { return calls::broadcast<long>(team, dest, source, nelems, PE_root); }
int shmem_longlong_broadcast(shmem_team_t team, long long* dest, const long long* source, size_t nelems, int PE_root) { return calls::broadcast<long long>(team, dest, source, nelems, PE_root); }
int shmem_uchar_broadcast(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems, int PE_root) { return calls::broadcast<unsigned char>(team, dest, source, nelems, PE_root); }
int shmem_ushort_broadcast(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems, int PE_root) { return calls::broadcast<unsigned short>(team, dest, source, nelems, PE_root); }
int shmem_uint_broadcast(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems, int PE_root) { return calls::broadcast<unsigned int>(team, dest, source, nelems, PE_root); }
int shmem_ulong_broadcast(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems, int PE_root) { return calls::broadcast<unsigned long>(team, dest, source, nelems, PE_root); }
int shmem_ulonglong_broadcast(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems, int PE_root) { return calls::broadcast<unsigned long long>(team, dest, source, nelems, PE_root); }
int shmem_int8_broadcast(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nelems, int PE_root) { return calls::broadcast<int8_t>(team, dest, source, nelems, PE_root); }
int shmem_int16_broadcast(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nelems, int PE_root) { return calls::broadcast<int16_t>(team, dest, source, nelems, PE_root); }
int shmem_int32_broadcast(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nelems, int PE_root) { return calls::broadcast<int32_t>(team, dest, source, nelems, PE_root); }
int shmem_int64_broadcast(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nelems, int PE_root) { return calls::broadcast<int64_t>(team, dest, source, nelems, PE_root); }
int shmem_uint8_broadcast(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nelems, int PE_root) { return calls::broadcast<uint8_t>(team, dest, source, nelems, PE_root); }
int shmem_uint16_broadcast(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nelems, int PE_root) { return calls::broadcast<uint16_t>(team, dest, source, nelems, PE_root); }
int shmem_uint32_broadcast(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nelems, int PE_root) { return calls::broadcast<uint32_t>(team, dest, source, nelems, PE_root); }
int shmem_uint64_broadcast(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nelems, int PE_root) { return calls::broadcast<uint64_t>(team, dest, source, nelems, PE_root); }
int shmem_size_broadcast(shmem_team_t team, size_t* dest, const size_t* source, size_t nelems, int PE_root) { return calls::broadcast<size_t>(team, dest, source, nelems, PE_root); }
int shmem_ptrdiff_broadcast(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int PE_root) { return calls::broadcast<ptrdiff_t>(team, dest, source, nelems, PE_root); }
int shmem_float_collect(shmem_team_t team, float* dest, const float* source, size_t nelems) { return calls::collect<float>(team, dest, source, nelems); }
int shmem_double_collect(shmem_team_t team, double* dest, const double* source, size_t nelems) { return calls::collect<double>(team, dest, source, nelems); }
int shmem_longdouble_collect(shmem_team_t team, long double* dest, const long double* source, size_t nelems) { return calls::collect<long double>(team, dest, source, nelems); }
int shmem_char_collect(shmem_team_t team, char* dest, const char* source, size_t nelems) { return calls::collect<char>(team, dest, source, nelems); }
int shmem_schar_collect(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems) { return calls::collect<signed char>(team, dest, source, nelems); }
int shmem_short_collect(shmem_team_t team, short* dest, const short* source, size_t nelems) { return calls::collect<short>(team, dest, source, nelems); }
int shmem_int_collect(shmem_team_t team, int* dest, const int* source, size_t nelems) { return calls::collect<int>(team, dest, source, nelems); }
int shmem_long_collect(shmem_team_t team, long* dest, const long* source, size_t nelems) { return calls::collect<long>(team, dest, source, nelems); }
int shmem_longlong_collect(shmem_team_t team, long long* dest, const long long* source, size_t nelems) { return calls::collect<long long>(team, dest, source, nelems); }
int shmem_uchar_collect(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems) { return calls::collect<unsigned char>(team, dest, source, nelems); }
int shmem_ushort_collect(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems) { return calls::collect<unsigned short>(team, dest, source, nelems); }
int shmem_uint_collect(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems) { return calls::collect<unsigned int>(team, dest, source, nelems); }
int shmem_ulong_collect(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems) { return calls::collect<unsigned long>(team, dest, source, nelems); }
int shmem_ulonglong_collect(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems) { return calls::collect<unsigned long long>(team, dest, source, nelems); }
int shmem_int8_collect(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nelems) { return calls::collect<int8_t>(team, dest, source, nelems); }
int shmem_int16_collect(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nelems) { return calls::collect<int16_t>(team, dest, source, nelems); }
int shmem_int32_collect(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nelems) { return calls::collect<int32_t>(team, dest, source, nelems); }
int shmem_int64_collect(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nelems) { return calls::collect<int64_t>(team, dest, source, nelems); }
int shmem_uint8_collect(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nelems) { return calls::collect<uint8_t>(team, dest, source, nelems); }
int shmem_uint16_collect(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nelems) { return calls::collect<uint16_t>(team, dest, source, nelems); }
int shmem_uint32_collect(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nelems) { return calls::collect<uint32_t>(team, dest, source, nelems); }
int shmem_uint64_collect(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nelems) { return calls::collect<uint64_t>(team, dest, source, nelems); }
int shmem_size_collect(shmem_team_t team, size_t* dest, const size_t* source, size_t nelems) { return calls::collect<size_t>(team, dest, source, nelems); }
int shmem_ptrdiff_collect(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems) { return calls::collect<ptrdiff_t>(team, dest, source, nelems); }
int shmem_float_fcollect(shmem_team_t team, float* dest, const float* source, size_t nelems) { return calls::fcollect<float>(team, dest, source, nelems); }
int shmem_double_fcollect(shmem_team_t team, double* dest, const double* source, size_t nelems) { return calls::fcollect<double>(team, dest, source, nelems); }
int shmem_longdouble_fcollect(shmem_team_t team, long double* dest, const long double* source, size_t nelems) { return calls::fcollect<long double>(team, dest, source, nelems); }
int shmem_char_fcollect(shmem_team_t team, char* dest, const char* source, size_t nelems) { return calls::fcollect<char>(team, dest, source, nelems); }
int shmem_schar_fcollect(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems) { return calls::fcollect<signed char>(team, dest, source, nelems); }
int shmem_short_fcollect(shmem_team_t team, short* dest, const short* source, size_t nelems) { return calls::fcollect<short>(team, dest, source, nelems); }
int shmem_int_fcollect(shmem_team_t team, int* dest, const int* source, size_t nelems) { return calls::fcollect<int>(team, dest, source, nelems); }
int shmem_long_fcollect(shmem_team_t team, long* dest, const long* source, size_t nelems) { return calls::fcollect<long>(team, dest, source, nelems); }
int shmem_longlong_fcollect(shmem_team_t team, long long* dest, const long long* source, size_t nelems) { return calls::fcollect<long long>(team, dest, source, nelems); }
int shmem_uchar_fcollect(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems) { return calls::fcollect<unsigned char>(team, dest, source, nelems); }
int shmem_ushort_fcollect(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems) { return calls::fcollect<unsigned short>(team, dest, source, nelems); }
int shmem_uint_fcollect(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems) { return calls::fcollect<unsigned int>(team, dest, source, nelems); }
int shmem_ulong_fcollect(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems) { return calls::fcollect<unsigned long>(team, dest, source, nelems); }
int shmem_ulonglong_fcollect(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems) { return calls::fcollect<unsigned long long>(team, dest, source, nelems); }
int shmem_int8_fcollect(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nelems) { return calls::fcollect<int8_t>(team, dest, source, nelems); }
int shmem_int16_fcollect(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nelems) { return calls::fcollect<int16_t>(team, dest, source, nelems); }
int shmem_int32_fcollect(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nelems) { return calls::fcollect<int32_t>(team, dest, source, nelems); }
int shmem_int64_fcollect(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nelems) { return calls::fcollect<int64_t>(team, dest, source, nelems); }
int shmem_uint8_fcollect(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nelems) { return calls::fcollect<uint8_t>(team, dest, source, nelems); }
int shmem_uint16_fcollect(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nelems) { return calls::fcollect<uint16_t>(team, dest, source, nelems); }
int shmem_uint32_fcollect(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nelems) { return calls::fcollect<uint32_t>(team, dest, source, nelems); }
int shmem_uint64_fcollect(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nelems) { return calls::fcollect<uint64_t>(team, dest, source, nelems); }
int shmem_size_fcollect(shmem_team_t team, size_t* dest, const size_t* source, size_t nelems) { return calls::fcollect<size_t>(team, dest, source, nelems); }
int shmem_ptrdiff_fcollect(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems) { return calls::fcollect<ptrdiff_t>(team, dest, source, nelems); }
int shmem_float_alltoall(shmem_team_t team, float* dest, const float* source, size_t nelems) { return calls::alltoall<float>(team, dest, source, nelems); }
int shmem_double_alltoall(shmem_team_t team, double* dest, const double* source, size_t nelems) { return calls::alltoall<double>(team, dest, source, nelems); }
int shmem_longdouble_alltoall(shmem_team_t team, long double* dest, const long double* source, size_t nelems) { return calls::alltoall<long double>(team, dest, source, nelems); }
int shmem_char_alltoall(shmem_team_t team, char* dest, const char* source, size_t nelems) { return calls::alltoall<char>(team, dest, source, nelems); }
int shmem_schar_alltoall(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems) { return calls::alltoall<signed char>(team, dest, source, nelems); }
int shmem_short_alltoall(shmem_team_t team, short* dest, const short* source, size_t nelems) { return calls::alltoall<short>(team, dest, source, nelems); }
int shmem_int_alltoall(shmem_team_t team, int* dest, const int* source, size_t nelems) { return calls::alltoall<int>(team, dest, source, nelems); }
int shmem_long_alltoall(shmem_team_t team, long* dest, const long* source, size_t nelems) { return calls::alltoall<long>(team, dest, source, nelems); }
int shmem_longlong_alltoall(shmem_team_t team, long long* dest, const long long* source, size_t nelems) { return calls::alltoall<long long>(team, dest, source, nelems); }
int shmem_uchar_alltoall(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems) { return calls::alltoall<unsigned char>(team, dest, source, nelems); }
int shmem_ushort_alltoall(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems) { return calls::alltoall<unsigned short>(team, dest, source, nelems); }
int shmem_uint_alltoall(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems) { return calls::alltoall<unsigned int>(team, dest, source, nelems); }
int shmem_ulong_alltoall(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems) { return calls::alltoall<unsigned long>(team, dest, source, nelems); }
int shmem_ulonglong_alltoall(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems) { return calls::alltoall<unsigned long long>(team, dest, source, nelems); }
int shmem_int8_alltoall(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nelems) { return calls::alltoall<int8_t>(team, dest, source, nelems); }
int shmem_int16_alltoall(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nelems) { return calls::alltoall<int16_t>(team, dest, source, nelems); }
int shmem_int32_alltoall(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nelems) { return calls::alltoall<int32_t>(team, dest, source, nelems); }
int shmem_int64_alltoall(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nelems) { return calls::alltoall<int64_t>(team, dest, source, nelems); }
int shmem_uint8_alltoall(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nelems) { return calls::alltoall<uint8_t>(team, dest, source, nelems); }
int shmem_uint16_alltoall(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nelems) { return calls::alltoall<uint16_t>(team, dest, source, nelems); }
int shmem_uint32_alltoall(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nelems) { return calls::alltoall<uint32_t>(team, dest, source, nelems); }
int shmem_uint64_alltoall(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nelems) { return calls::alltoall<uint64_t>(team, dest, source, nelems); }
int shmem_size_alltoall(shmem_team_t team, size_t* dest, const size_t* source, size_t nelems) { return calls::alltoall<size_t>(team, dest, source, nelems); }
int shmem_ptrdiff_alltoall(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems) { return calls::alltoall<ptrdiff_t>(team, dest, source, nelems); }
int shmem_float_alltoalls(shmem_team_t team, float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<float>(team, dest, source, dst, sst, nelems); }
int shmem_double_alltoalls(shmem_team_t team, double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<double>(team, dest, source, dst, sst, nelems); }
int shmem_longdouble_alltoalls(shmem_team_t team, long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<long double>(team, dest, source, dst, sst, nelems); }
int shmem_char_alltoalls(shmem_team_t team, char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<char>(team, dest, source, dst, sst, nelems); }
int shmem_schar_alltoalls(shmem_team_t team, signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<signed char>(team, dest, source, dst, sst, nelems); }
int shmem_short_alltoalls(shmem_team_t team, short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<short>(team, dest, source, dst, sst, nelems); }
int shmem_int_alltoalls(shmem_team_t team, int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<int>(team, dest, source, dst, sst, nelems); }
int shmem_long_alltoalls(shmem_team_t team, long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<long>(team, dest, source, dst, sst, nelems); }
int shmem_longlong_alltoalls(shmem_team_t team, long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<long long>(team, dest, source, dst, sst, nelems); }
int shmem_uchar_alltoalls(shmem_team_t team, unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<unsigned char>(team, dest, source, dst, sst, nelems); }
int shmem_ushort_alltoalls(shmem_team_t team, unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<unsigned short>(team, dest, source, dst, sst, nelems); }
int shmem_uint_alltoalls(shmem_team_t team, unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<unsigned int>(team, dest, source, dst, sst, nelems); }
int shmem_ulong_alltoalls(shmem_team_t team, unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<unsigned long>(team, dest, source, dst, sst, nelems); }
int shmem_ulonglong_alltoalls(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<unsigned long long>(team, dest, source, dst, sst, nelems); }
int shmem_int8_alltoalls(shmem_team_t team, int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<int8_t>(team, dest, source, dst, sst, nelems); }
int shmem_int16_alltoalls(shmem_team_t team, int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<int16_t>(team, dest, source, dst, sst, nelems); }
int shmem_int32_alltoalls(shmem_team_t team, int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<int32_t>(team, dest, source, dst, sst, nelems); }
int shmem_int64_alltoalls(shmem_team_t team, int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<int64_t>(team, dest, source, dst, sst, nelems); }
int shmem_uint8_alltoalls(shmem_team_t team, uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<uint8_t>(team, dest, source, dst, sst, nelems); }
int shmem_uint16_alltoalls(shmem_team_t team, uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<uint16_t>(team, dest, source, dst, sst, nelems); }
int shmem_uint32_alltoalls(shmem_team_t team, uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<uint32_t>(team, dest, source, dst, sst, nelems); }
int shmem_uint64_alltoalls(shmem_team_t team, uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<uint64_t>(team, dest, source, dst, sst, nelems); }
int shmem_size_alltoalls(shmem_team_t team, size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<size_t>(team, dest, source, dst, sst, nelems); }
int shmem_ptrdiff_alltoalls(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<ptrdiff_t>(team, dest, source, dst, sst, nelems); }
int shmem_uchar_and_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return calls::and_reduce<unsigned char>(team, dest, source, nreduce); }
int shmem_ushort_and_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return calls::and_reduce<unsigned short>(team, dest, source, nreduce); }
int shmem_uint_and_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return calls::and_reduce<unsigned int>(team, dest, source, nreduce); }
int shmem_ulong_and_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return calls::and_reduce<unsigned long>(team, dest, source, nreduce); }
int shmem_ulonglong_and_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return calls::and_reduce<unsigned long long>(team, dest, source, nreduce); }
int shmem_int8_and_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce) { return calls::and_reduce<int8_t>(team, dest, source, nreduce); }
int shmem_int16_and_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce) { return calls::and_reduce<int16_t>(team, dest, source, nreduce); }
int shmem_int32_and_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce) { return calls::and_reduce<int32_t>(team, dest, source, nreduce); }
int shmem_int64_and_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce) { return calls::and_reduce<int64_t>(team, dest, source, nreduce); }
int shmem_uint8_and_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce) { return calls::and_reduce<uint8_t>(team, dest, source, nreduce); }
int shmem_uint16_and_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce) { return calls::and_reduce<uint16_t>(team, dest, source, nreduce); }
int shmem_uint32_and_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce) { return calls::and_reduce<uint32_t>(team, dest, source, nreduce); }
int shmem_uint64_and_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce) { return calls::and_reduce<uint64_t>(team, dest, source, nreduce); }
int shmem_size_and_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce) { return calls::and_reduce<size_t>(team, dest, source, nreduce); }
int shmem_uchar_or_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return calls::or_reduce<unsigned char>(team, dest, source, nreduce); }
int shmem_ushort_or_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return calls::or_reduce<unsigned short>(team, dest, source, nreduce); }
int shmem_uint_or_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return calls::or_reduce<unsigned int>(team, dest, source, nreduce); }
int shmem_ulong_or_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return calls::or_reduce<unsigned long>(team, dest, source, nreduce); }
int shmem_ulonglong_or_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return calls::or_reduce<unsigned long long>(team, dest, source, nreduce); }
int shmem_int8_or_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce) { return calls::or_reduce<int8_t>(team, dest, source, nreduce); }
int shmem_int16_or_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce) { return calls::or_reduce<int16_t>(team, dest, source, nreduce); }
int shmem_int32_or_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce) { return calls::or_reduce<int32_t>(team, dest, source, nreduce); }
int shmem_int64_or_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce) { return calls::or_reduce<int64_t>(team, dest, source, nreduce); }
int shmem_uint8_or_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce) { return calls::or_reduce<uint8_t>(team, dest, source, nreduce); }
int shmem_uint16_or_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce) { return calls::or_reduce<uint16_t>(team, dest, source, nreduce); }
int shmem_uint32_or_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce) { return calls::or_reduce<uint32_t>(team, dest, source, nreduce); }
int shmem_uint64_or_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce) { return calls::or_reduce<uint64_t>(team, dest, source, nreduce); }
int shmem_size_or_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce) { return calls::or_reduce<size_t>(team, dest, source, nreduce); }
int shmem_uchar_xor_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return calls::xor_reduce<unsigned char>(team, dest, source, nreduce); }
int shmem_ushort_xor_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return calls::xor_reduce<unsigned short>(team, dest, source, nreduce); }
int shmem_uint_xor_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return calls::xor_reduce<unsigned int>(team, dest, source, nreduce); }
int shmem_ulong_xor_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return calls::xor_reduce<unsigned long>(team, dest, source, nreduce); }
int shmem_ulonglong_xor_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return calls::xor_reduce<unsigned long long>(team, dest, source, nreduce); }
int shmem_int8_xor_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce) { return calls::xor_reduce<int8_t>(team, dest, source, nreduce); }
int shmem_int16_xor_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce) { return calls::xor_reduce<int16_t>(team, dest, source, nreduce); }
int shmem_int32_xor_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce) { return calls::xor_reduce<int32_t>(team, dest, source, nreduce); }
int shmem_int64_xor_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce) { return calls::xor_reduce<int64_t>(team, dest, source, nreduce); }
int shmem_uint8_xor_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce) { return calls::xor_reduce<uint8_t>(team, dest, source, nreduce); }
int shmem_uint16_xor_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce) { return calls::xor_reduce<uint16_t>(team, dest, source, nreduce); }
int shmem_uint32_xor_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce) { return calls::xor_reduce<uint32_t>(team, dest, source, nreduce); }
int shmem_uint64_xor_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce) { return calls::xor_reduce<uint64_t>(team, dest, source, nreduce); }
int shmem_size_xor_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce) { return calls::xor_reduce<size_t>(team, dest, source, nreduce); }
int shmem_float_max_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce) { return calls::max_reduce<float>(team, dest, source, nreduce); }
int shmem_double_max_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce) { return calls::max_reduce<double>(team, dest, source, nreduce); }
int shmem_longdouble_max_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce) { return calls::max_reduce<long double>(team, dest, source, nreduce); }
int shmem_char_max_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce) { return calls::max_reduce<char>(team, dest, source, nreduce); }
int shmem_schar_max_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return calls::max_reduce<signed char>(team, dest, source, nreduce); }
int shmem_short_max_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return calls::max_reduce<short>(team, dest, source, nreduce); }
int shmem_int_max_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return calls::max_reduce<int>(team, dest, source, nreduce); }
int shmem_long_max_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return calls::max_reduce<long>(team, dest, source, nreduce); }
int shmem_longlong_max_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce) { return calls::max_reduce<long long>(team, dest, source, nreduce); }
int shmem_uchar_max_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return calls::max_reduce<unsigned char>(team, dest, source, nreduce); }
int shmem_ushort_max_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return calls::max_reduce<unsigned short>(team, dest, source, nreduce); }
int shmem_uint_max_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return calls::max_reduce<unsigned int>(team, dest, source, nreduce); }
int shmem_ulong_max_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return calls::max_reduce<unsigned long>(team, dest, source, nreduce); }
int shmem_ulonglong_max_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return calls::max_reduce<unsigned long long>(team, dest, source, nreduce); }
int shmem_int8_max_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce) { return calls::max_reduce<int8_t>(team, dest, source, nreduce); }
int shmem_int16_max_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce) { return calls::max_reduce<int16_t>(team, dest, source, nreduce); }
int shmem_int32_max_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce) { return calls::max_reduce<int32_t>(team, dest, source, nreduce); }
int shmem_int64_max_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce) { return calls::max_reduce<int64_t>(team, dest, source, nreduce); }
int shmem_uint8_max_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce) { return calls::max_reduce<uint8_t>(team, dest, source, nreduce); }
int shmem_uint16_max_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce) { return calls::max_reduce<uint16_t>(team, dest, source, nreduce); }
int shmem_uint32_max_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce) { return calls::max_reduce<uint32_t>(team, dest, source, nreduce); }
int shmem_uint64_max_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce) { return calls::max_reduce<uint64_t>(team, dest, source, nreduce); }
int shmem_size_max_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce) { return calls::max_reduce<size_t>(team, dest, source, nreduce); }
int shmem_ptrdiff_max_reduce(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nreduce) { return calls::max_reduce<ptrdiff_t>(team, dest, source, nreduce); }
int shmem_float_min_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce) { return calls::min_reduce<float>(team, dest, source, nreduce); }
int shmem_double_min_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce) { return calls::min_reduce<double>(team, dest, source, nreduce); }
int shmem_longdouble_min_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce) { return calls::min_reduce<long double>(team, dest, source, nreduce); }
int shmem_char_min_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce) { return calls::min_reduce<char>(team, dest, source, nreduce); }
int shmem_schar_min_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return calls::min_reduce<signed char>(team, dest, source, nreduce); }
int shmem_short_min_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return calls::min_reduce<short>(team, dest, source, nreduce); }
int shmem_int_min_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return calls::min_reduce<int>(team, dest, source, nreduce); }
int shmem_long_min_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return calls::min_reduce<long>(team, dest, source, nreduce); }
int shmem_longlong_min_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce) { return calls::min_reduce<long long>(team, dest, source, nreduce); }
int shmem_uchar_min_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return calls::min_reduce<unsigned char>(team, dest, source, nreduce); }
int shmem_ushort_min_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return calls::min_reduce<unsigned short>(team, dest, source, nreduce); }
int shmem_uint_min_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return calls::min_reduce<unsigned int>(team, dest, source, nreduce); }
int shmem_ulong_min_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return calls::min_reduce<unsigned long>(team, dest, source, nreduce); }
int shmem_ulonglong_min_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return calls::min_reduce<unsigned long long>(team, dest, source, nreduce); }
int shmem_int8_min_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce) { return calls::min_reduce<int8_t>(team, dest, source, nreduce); }
int shmem_int16_min_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce) { return calls::min_reduce<int16_t>(team, dest, source, nreduce); }
int shmem_int32_min_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce) { return calls::min_reduce<int32_t>(team, dest, source, nreduce); }
int shmem_int64_min_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce) { return calls::min_reduce<int64_t>(team, dest, source, nreduce); }
int shmem_uint8_min_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce) { return calls::min_reduce<uint8_t>(team, dest, source, nreduce); }
int shmem_uint16_min_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce) { return calls::min_reduce<uint16_t>(team, dest, source, nreduce); }
int shmem_uint32_min_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce) { return calls::min_reduce<uint32_t>(team, dest, source, nreduce); }
int shmem_uint64_min_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce) { return calls::min_reduce<uint64_t>(team, dest, source, nreduce); }
int shmem_size_min_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce) { return calls::min_reduce<size_t>(team, dest, source, nreduce); }
int shmem_ptrdiff_min_reduce(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nreduce) { return calls::min_reduce<ptrdiff_t>(team, dest, source, nreduce); }
int shmem_float_sum_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce) { return calls::sum_reduce<float>(team, dest, source, nreduce); }
int shmem_double_sum_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce) { return calls::sum_reduce<double>(team, dest, source, nreduce); }
int shmem_longdouble_sum_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce) { return calls::sum_reduce<long double>(team, dest, source, nreduce); }
int shmem_char_sum_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce) { return calls::sum_reduce<char>(team, dest, source, nreduce); }
int shmem_schar_sum_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return calls::sum_reduce<signed char>(team, dest, source, nreduce); }
int shmem_short_sum_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return calls::sum_reduce<short>(team, dest, source, nreduce); }
int shmem_int_sum_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return calls::sum_reduce<int>(team, dest, source, nreduce); }
int shmem_long_sum_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return calls::sum_reduce<long>(team, dest, source, nreduce); }
int shmem_longlong_sum_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce) { return calls::sum_reduce<long long>(team, dest, source, nreduce); }
int shmem_uchar_sum_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return calls::sum_reduce<unsigned char>(team, dest, source, nreduce); }
int shmem_ushort_sum_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return calls::sum_reduce<unsigned short>(team, dest, source, nreduce); }
int shmem_uint_sum_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return calls::sum_reduce<unsigned int>(team, dest, source, nreduce); }
int shmem_ulong_sum_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return calls::sum_reduce<unsigned long>(team, dest, source, nreduce); }
int shmem_ulonglong_sum_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return calls::sum_reduce<unsigned long long>(team, dest, source, nreduce); }
int shmem_int8_sum_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce) { return calls::sum_reduce<int8_t>(team, dest, source, nreduce); }
int shmem_int16_sum_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce) { return calls::sum_reduce<int16_t>(team, dest, source, nreduce); }
int shmem_int32_sum_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce) { return calls::sum_reduce<int32_t>(team, dest, source, nreduce); }
int shmem_int64_sum_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce) { return calls::sum_reduce<int64_t>(team, dest, source, nreduce); }
int shmem_uint8_sum_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce) { return calls::sum_reduce<uint8_t>(team, dest, source, nreduce); }
int shmem_uint16_sum_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce) { return calls::sum_reduce<uint16_t>(team, dest, source, nreduce); }
int shmem_uint32_sum_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce) { return calls::sum_reduce<uint32_t>(team, dest, source, nreduce); }
int shmem_uint64_sum_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce) { return calls::sum_reduce<uint64_t>(team, dest, source, nreduce); }
int shmem_size_sum_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce) { return calls::sum_reduce<size_t>(team, dest, source, nreduce); }
int shmem_ptrdiff_sum_reduce(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nreduce) { return calls::sum_reduce<ptrdiff_t>(team, dest, source, nreduce); }
int shmem_complexd_sum_reduce(shmem_team_t team, double _Complex* dest, const double _Complex* source, size_t nreduce) { return calls::sum_reduce<double _Complex>(team, dest, source, nreduce); }
int shmem_complexf_sum_reduce(shmem_team_t team, float _Complex* dest, const float _Complex* source, size_t nreduce) { return calls::sum_reduce<float _Complex>(team, dest, source, nreduce); }
int shmem_float_prod_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce) { return calls::prod_reduce<float>(team, dest, source, nreduce); }
int shmem_double_prod_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce) { return calls::prod_reduce<double>(team, dest, source, nreduce); }
int shmem_longdouble_prod_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce) { return calls::prod_reduce<long double>(team, dest, source, nreduce); }
int shmem_char_prod_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce) { return calls::prod_reduce<char>(team, dest, source, nreduce); }
int shmem_schar_prod_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return calls::prod_reduce<signed char>(team, dest, source, nreduce); }
int shmem_short_prod_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return calls::prod_reduce<short>(team, dest, source, nreduce); }
int shmem_int_prod_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return calls::prod_reduce<int>(team, dest, source, nreduce); }
int shmem_long_prod_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return calls::prod_reduce<long>(team, dest, source, nreduce); }
int shmem_longlong_prod_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce) { return calls::prod_reduce<long long>(team, dest, source, nreduce); }
int shmem_uchar_prod_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return calls::prod_reduce<unsigned char>(team, dest, source, nreduce); }
int shmem_ushort_prod_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return calls::prod_reduce<unsigned short>(team, dest, source, nreduce); }
int shmem_uint_prod_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return calls::prod_reduce<unsigned int>(team, dest, source, nreduce); }
int shmem_ulong_prod_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return calls::prod_reduce<unsigned long>(team, dest, source, nreduce); }
int shmem_ulonglong_prod_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return calls::prod_reduce<unsigned long long>(team, dest, source, nreduce); }
int shmem_int8_prod_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce) { return calls::prod_reduce<int8_t>(team, dest, source, nreduce); }
int shmem_int16_prod_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce) { return calls::prod_reduce<int16_t>(team, dest, source, nreduce); }
int shmem_int32_prod_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce) { return calls::prod_reduce<int32_t>(team, dest, source, nreduce); }
int shmem_int64_prod_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce) { return calls::prod_reduce<int64_t>(team, dest, source, nreduce); }
int shmem_uint8_prod_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce) { return calls::prod_reduce<uint8_t>(team, dest, source, nreduce); }
int shmem_uint16_prod_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce) { return calls::prod_reduce<uint16_t>(team, dest, source, nreduce); }
int shmem_uint32_prod_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce) { return calls::prod_reduce<uint32_t>(team, dest, source, nreduce); }
int shmem_uint64_prod_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce) { return calls::prod_reduce<uint64_t>(team, dest, source, nreduce); }
int shmem_size_prod_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce) { return calls::prod_reduce<size_t>(team, dest, source, nreduce); }
int shmem_ptrdiff_prod_reduce(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nreduce) { return calls::prod_reduce<ptrdiff_t>(team, dest, source, nreduce); }
int shmem_complexd_prod_reduce(shmem_team_t team, double _Complex* dest, const double _Complex* source, size_t nreduce) { return calls::prod_reduce<double _Complex>(team, dest, source, nreduce); }
int shmem_complexf_prod_reduce(shmem_team_t team, float _Complex* dest, const float _Complex* source, size_t nreduce) { return calls::prod_reduce<float _Complex>(team, dest, source, nreduce); }
float shmem_float_fetch(const float* source, int pe) { return calls::fetch<float>(source, pe); }
double shmem_double_fetch(const double* source, int pe) { return calls::fetch<double>(source, pe); }
int shmem_int_fetch(const int* source, int pe) { return calls::fetch<int>(source, pe); }
long shmem_long_fetch(const long* source, int pe) { return calls::fetch<long>(source, pe); }
long long shmem_longlong_fetch(const long long* source, int pe) { return calls::fetch<long long>(source, pe); }
unsigned int shmem_uint_fetch(const unsigned int* source, int pe) { return calls::fetch<unsigned int>(source, pe); }
unsigned long shmem_ulong_fetch(const unsigned long* source, int pe) { return calls::fetch<unsigned long>(source, pe); }
unsigned long long shmem_ulonglong_fetch(const unsigned long long* source, int pe) { return calls::fetch<unsigned long long>(source, pe); }
int32_t shmem_int32_fetch(const int32_t* source, int pe) { return calls::fetch<int32_t>(source, pe); }
int64_t shmem_int64_fetch(const int64_t* source, int pe) { return calls::fetch<int64_t>(source, pe); }
uint32_t shmem_uint32_fetch(const uint32_t* source, int pe) { return calls::fetch<uint32_t>(source, pe); }
uint64_t shmem_uint64_fetch(const uint64_t* source, int pe) { return calls::fetch<uint64_t>(source, pe); }
size_t shmem_size_fetch(const size_t* source, int pe) { return calls::fetch<size_t>(source, pe); }
ptrdiff_t shmem_ptrdiff_fetch(const ptrdiff_t* source, int pe) { return calls::fetch<ptrdiff_t>(source, pe); }
void shmem_float_set(float* dest, float value, int pe) { return calls::set<float>(dest, value, pe); }
void shmem_double_set(double* dest, double value, int pe) { return calls::set<double>(dest, value, pe); }
void shmem_int_set(int* dest, int value, int pe) { return calls::set<int>(dest, value, pe); }
void shmem_long_set(long* dest, long value, int pe) { return calls::set<long>(dest, value, pe); }
void shmem_longlong_set(long long* dest, long long value, int pe) { return calls::set<long long>(dest, value, pe); }
void shmem_uint_set(unsigned int* dest, unsigned int value, int pe) { return calls::set<unsigned int>(dest, value, pe); }
void shmem_ulong_set(unsigned long* dest, unsigned long value, int pe) { return calls::set<unsigned long>(dest, value, pe); }
void shmem_ulonglong_set(unsigned long long* dest, unsigned long long value, int pe) { return calls::set<unsigned long long>(dest, value, pe); }
void shmem_int32_set(int32_t* dest, int32_t value, int pe) { return calls::set<int32_t>(dest, value, pe); }
void shmem_int64_set(int64_t* dest, int64_t value, int pe) { return calls::set<int64_t>(dest, value, pe); }
void shmem_uint32_set(uint32_t* dest, uint32_t value, int pe) { return calls::set<uint32_t>(dest, value, pe); }
void shmem_uint64_set(uint64_t* dest, uint64_t value, int pe) { return calls::set<uint64_t>(dest, value, pe); }
void shmem_size_set(size_t* dest, size_t value, int pe) { return calls::set<size_t>(dest, value, pe); }
void shmem_ptrdiff_set(ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::set<ptrdiff_t>(dest, value, pe); }
float shmem_float_swap(float* dest, float value, int pe) { return calls::swap<float>(dest, value, pe); }
double shmem_double_swap(double* dest, double value, int pe) { return calls::swap<double>(dest, value, pe); }
int shmem_int_swap(int* dest, int value, int pe) { return calls::swap<int>(dest, value, pe); }
long shmem_long_swap(long* dest, long value, int pe) { return calls::swap<long>(dest, value, pe); }
long long shmem_longlong_swap(long long* dest, long long value, int pe) { return calls::swap<long long>(dest, value, pe); }
unsigned int shmem_uint_swap(unsigned int* dest, unsigned int value, int pe) { return calls::swap<unsigned int>(dest, value, pe); }
unsigned long shmem_ulong_swap(unsigned long* dest, unsigned long value, int pe) { return calls::swap<unsigned long>(dest, value, pe); }
unsigned long long shmem_ulonglong_swap(unsigned long long* dest, unsigned long long value, int pe) { return calls::swap<unsigned long long>(dest, value, pe); }
int32_t shmem_int32_swap(int32_t* dest, int32_t value, int pe) { return calls::swap<int32_t>(dest, value, pe); }
int64_t shmem_int64_swap(int64_t* dest, int64_t value, int pe) { return calls::swap<int64_t>(dest, value, pe); }
uint32_t shmem_uint32_swap(uint32_t* dest, uint32_t value, int pe) { return calls::swap<uint32_t>(dest, value, pe); }
uint64_t shmem_uint64_swap(uint64_t* dest, uint64_t value, int pe) { return calls::swap<uint64_t>(dest, value, pe); }
size_t shmem_size_swap(size_t* dest, size_t value, int pe) { return calls::swap<size_t>(dest, value, pe); }
ptrdiff_t shmem_ptrdiff_swap(ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::swap<ptrdiff_t>(dest, value, pe); }
int shmem_int_cswap(int* dest, int cond, int value, int pe) { return calls::cswap<int>(dest, cond, value, pe); }
long shmem_long_cswap(long* dest, long cond, long value, int pe) { return calls::cswap<long>(dest, cond, value, pe); }
long long shmem_longlong_cswap(long long* dest, long long cond, long long value, int pe) { return calls::cswap<long long>(dest, cond, value, pe); }
unsigned int shmem_uint_cswap(unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return calls::cswap<unsigned int>(dest, cond, value, pe); }
unsigned long shmem_ulong_cswap(unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return calls::cswap<unsigned long>(dest, cond, value, pe); }
unsigned long long shmem_ulonglong_cswap(unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return calls::cswap<unsigned long long>(dest, cond, value, pe); }
int32_t shmem_int32_cswap(int32_t* dest, int32_t cond, int32_t value, int pe) { return calls::cswap<int32_t>(dest, cond, value, pe); }
int64_t shmem_int64_cswap(int64_t* dest, int64_t cond, int64_t value, int pe) { return calls::cswap<int64_t>(dest, cond, value, pe); }
uint32_t shmem_uint32_cswap(uint32_t* dest, uint32_t cond, uint32_t value, int pe) { return calls::cswap<uint32_t>(dest, cond, value, pe); }
uint64_t shmem_uint64_cswap(uint64_t* dest, uint64_t cond, uint64_t value, int pe) { return calls::cswap<uint64_t>(dest, cond, value, pe); }
size_t shmem_size_cswap(size_t* dest, size_t cond, size_t value, int pe) { return calls::cswap<size_t>(dest, cond, value, pe); }
ptrdiff_t shmem_ptrdiff_cswap(ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe) { return calls::cswap<ptrdiff_t>(dest, cond, value, pe); }
int shmem_int_finc(int* dest, int pe) { return calls::finc<int>(dest, pe); }
long shmem_long_finc(long* dest, int pe) { return calls::finc<long>(dest, pe); }
long long shmem_longlong_finc(long long* dest, int pe) { return calls::finc<long long>(dest, pe); }
unsigned int shmem_uint_finc(unsigned int* dest, int pe) { return calls::finc<unsigned int>(dest, pe); }
unsigned long shmem_ulong_finc(unsigned long* dest, int pe) { return calls::finc<unsigned long>(dest, pe); }
unsigned long long shmem_ulonglong_finc(unsigned long long* dest, int pe) { return calls::finc<unsigned long long>(dest, pe); }
int32_t shmem_int32_finc(int32_t* dest, int pe) { return calls::finc<int32_t>(dest, pe); }
int64_t shmem_int64_finc(int64_t* dest, int pe) { return calls::finc<int64_t>(dest, pe); }
uint32_t shmem_uint32_finc(uint32_t* dest, int pe) { return calls::finc<uint32_t>(dest, pe); }
uint64_t shmem_uint64_finc(uint64_t* dest, int pe) { return calls::finc<uint64_t>(dest, pe); }
size_t shmem_size_finc(size_t* dest, int pe) { return calls::finc<size_t>(dest, pe); }
ptrdiff_t shmem_ptrdiff_finc(ptrdiff_t* dest, int pe) { return calls::finc<ptrdiff_t>(dest, pe); }
void shmem_int_inc(int* dest, int pe) { return calls::inc<int>(dest, pe); }
void shmem_long_inc(long* dest, int pe) { return calls::inc<long>(dest, pe); }
void shmem_longlong_inc(long long* dest, int pe) { return calls::inc<long long>(dest, pe); }
void shmem_uint_inc(unsigned int* dest, int pe) { return calls::inc<unsigned int>(dest, pe); }
void shmem_ulong_inc(unsigned long* dest, int pe) { return calls::inc<unsigned long>(dest, pe); }
void shmem_ulonglong_inc(unsigned long long* dest, int pe) { return calls::inc<unsigned long long>(dest, pe); }
void shmem_int32_inc(int32_t* dest, int pe) { return calls::inc<int32_t>(dest, pe); }
void shmem_int64_inc(int64_t* dest, int pe) { return calls::inc<int64_t>(dest, pe); }
void shmem_uint32_inc(uint32_t* dest, int pe) { return calls::inc<uint32_t>(dest, pe); }
void shmem_uint64_inc(uint64_t* dest, int pe) { return calls::inc<uint64_t>(dest, pe); }
void shmem_size_inc(size_t* dest, int pe) { return calls::inc<size_t>(dest, pe); }
void shmem_ptrdiff_inc(ptrdiff_t* dest, int pe) { return calls::inc<ptrdiff_t>(dest, pe); }
int shmem_int_fadd(int* dest, int value, int pe) { return calls::fadd<int>(dest, value, pe); }
long shmem_long_fadd(long* dest, long value, int pe) { return calls::fadd<long>(dest, value, pe); }
long long shmem_longlong_fadd(long long* dest, long long value, int pe) { return calls::fadd<long long>(dest, value, pe); }
unsigned int shmem_uint_fadd(unsigned int* dest, unsigned int value, int pe) { return calls::fadd<unsigned int>(dest, value, pe); }
unsigned long shmem_ulong_fadd(unsigned long* dest, unsigned long value, int pe) { return calls::fadd<unsigned long>(dest, value, pe); }
unsigned long long shmem_ulonglong_fadd(unsigned long long* dest, unsigned long long value, int pe) { return calls::fadd<unsigned long long>(dest, value, pe); }
int32_t shmem_int32_fadd(int32_t* dest, int32_t value, int pe) { return calls::fadd<int32_t>(dest, value, pe); }
int64_t shmem_int64_fadd(int64_t* dest, int64_t value, int pe) { return calls::fadd<int64_t>(dest, value, pe); }
uint32_t shmem_uint32_fadd(uint32_t* dest, uint32_t value, int pe) { return calls::fadd<uint32_t>(dest, value, pe); }
uint64_t shmem_uint64_fadd(uint64_t* dest, uint64_t value, int pe) { return calls::fadd<uint64_t>(dest, value, pe); }
size_t shmem_size_fadd(size_t* dest, size_t value, int pe) { return calls::fadd<size_t>(dest, value, pe); }
ptrdiff_t shmem_ptrdiff_fadd(ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::fadd<ptrdiff_t>(dest, value, pe); }
void shmem_int_add(int* dest, int value, int pe) { return calls::add<int>(dest, value, pe); }
void shmem_long_add(long* dest, long value, int pe) { return calls::add<long>(dest, value, pe); }
void shmem_longlong_add(long long* dest, long long value, int pe) { return calls::add<long long>(dest, value, pe); }
void shmem_uint_add(unsigned int* dest, unsigned int value, int pe) { return calls::add<unsigned int>(dest, value, pe); }
void shmem_ulong_add(unsigned long* dest, unsigned long value, int pe) { return calls::add<unsigned long>(dest, value, pe); }
void shmem_ulonglong_add(unsigned long long* dest, unsigned long long value, int pe) { return calls::add<unsigned long long>(dest, value, pe); }
void shmem_int32_add(int32_t* dest, int32_t value, int pe) { return calls::add<int32_t>(dest, value, pe); }
void shmem_int64_add(int64_t* dest, int64_t value, int pe) { return calls::add<int64_t>(dest, value, pe); }
void shmem_uint32_add(uint32_t* dest, uint32_t value, int pe) { return calls::add<uint32_t>(dest, value, pe); }
void shmem_uint64_add(uint64_t* dest, uint64_t value, int pe) { return calls::add<uint64_t>(dest, value, pe); }
void shmem_size_add(size_t* dest, size_t value, int pe) { return calls::add<size_t>(dest, value, pe); }
void shmem_ptrdiff_add(ptrdiff_t* dest, ptrdiff_t value, int pe) { return calls::add<ptrdiff_t>(dest, value, pe); }
void shmem_short_wait(short* ivar, short cmp_value) { return calls::wait<short>(ivar, cmp_value); }
void shmem_int_wait(int* ivar, int cmp_value) { return calls::wait<int>(ivar, cmp_value); }
void shmem_long_wait(long* ivar, long cmp_value) { return calls::wait<long>(ivar, cmp_value); }
void shmem_longlong_wait(long long* ivar, long long cmp_value) { return calls::wait<long long>(ivar, cmp_value); }
void shmem_ushort_wait(unsigned short* ivar, unsigned short cmp_value) { return calls::wait<unsigned short>(ivar, cmp_value); }
void shmem_uint_wait(unsigned int* ivar, unsigned int cmp_value) { return calls::wait<unsigned int>(ivar, cmp_value); }
void shmem_ulong_wait(unsigned long* ivar, unsigned long cmp_value) { return calls::wait<unsigned long>(ivar, cmp_value); }
void shmem_ulonglong_wait(unsigned long long* ivar, unsigned long long cmp_value) { return calls::wait<unsigned long long>(ivar, cmp_value); }
void shmem_int32_wait(int32_t* ivar, int32_t cmp_value) { return calls::wait<int32_t>(ivar, cmp_value); }
void shmem_int64_wait(int64_t* ivar, int64_t cmp_value) { return calls::wait<int64_t>(ivar, cmp_value); }
void shmem_uint32_wait(uint32_t* ivar, uint32_t cmp_value) { return calls::wait<uint32_t>(ivar, cmp_value); }
void shmem_uint64_wait(uint64_t* ivar, uint64_t cmp_value) { return calls::wait<uint64_t>(ivar, cmp_value); }
void shmem_size_wait(size_t* ivar, size_t cmp_value) { return calls::wait<size_t>(ivar, cmp_value); }
void shmem_ptrdiff_wait(ptrdiff_t* ivar, ptrdiff_t cmp_value) { return calls::wait<ptrdiff_t>(ivar, cmp_value); }
void shmem_short_and_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync) { calls::toAll<short>(calls::and_reduce<short>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_int_and_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync) { calls::toAll<int>(calls::and_reduce<int>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_long_and_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync) { calls::toAll<long>(calls::and_reduce<long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longlong_and_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync) { calls::toAll<long long>(calls::and_reduce<long long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_short_or_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync) { calls::toAll<short>(calls::or_reduce<short>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_int_or_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync) { calls::toAll<int>(calls::or_reduce<int>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_long_or_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync) { calls::toAll<long>(calls::or_reduce<long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longlong_or_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync) { calls::toAll<long long>(calls::or_reduce<long long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_short_xor_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync) { calls::toAll<short>(calls::xor_reduce<short>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_int_xor_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync) { calls::toAll<int>(calls::xor_reduce<int>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_long_xor_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync) { calls::toAll<long>(calls::xor_reduce<long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longlong_xor_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync) { calls::toAll<long long>(calls::xor_reduce<long long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_float_max_to_all(float* dest, const float* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float* pWrk, long* pSync) { calls::toAll<float>(calls::max_reduce<float>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_double_max_to_all(double* dest, const double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double* pWrk, long* pSync) { calls::toAll<double>(calls::max_reduce<double>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longdouble_max_to_all(long double* dest, const long double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double* pWrk, long* pSync) { calls::toAll<long double>(calls::max_reduce<long double>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_short_max_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync) { calls::toAll<short>(calls::max_reduce<short>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_int_max_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync) { calls::toAll<int>(calls::max_reduce<int>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_long_max_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync) { calls::toAll<long>(calls::max_reduce<long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longlong_max_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync) { calls::toAll<long long>(calls::max_reduce<long long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_float_min_to_all(float* dest, const float* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float* pWrk, long* pSync) { calls::toAll<float>(calls::min_reduce<float>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_double_min_to_all(double* dest, const double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double* pWrk, long* pSync) { calls::toAll<double>(calls::min_reduce<double>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longdouble_min_to_all(long double* dest, const long double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double* pWrk, long* pSync) { calls::toAll<long double>(calls::min_reduce<long double>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_short_min_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync) { calls::toAll<short>(calls::min_reduce<short>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_int_min_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync) { calls::toAll<int>(calls::min_reduce<int>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_long_min_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync) { calls::toAll<long>(calls::min_reduce<long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longlong_min_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync) { calls::toAll<long long>(calls::min_reduce<long long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_float_sum_to_all(float* dest, const float* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float* pWrk, long* pSync) { calls::toAll<float>(calls::sum_reduce<float>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_double_sum_to_all(double* dest, const double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double* pWrk, long* pSync) { calls::toAll<double>(calls::sum_reduce<double>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longdouble_sum_to_all(long double* dest, const long double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double* pWrk, long* pSync) { calls::toAll<long double>(calls::sum_reduce<long double>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_short_sum_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync) { calls::toAll<short>(calls::sum_reduce<short>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_int_sum_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync) { calls::toAll<int>(calls::sum_reduce<int>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_long_sum_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync) { calls::toAll<long>(calls::sum_reduce<long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longlong_sum_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync) { calls::toAll<long long>(calls::sum_reduce<long long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_complexd_sum_to_all(double _Complex* dest, const double _Complex* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double _Complex* pWrk, long* pSync) { calls::toAll<double _Complex>(calls::sum_reduce<double _Complex>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_complexf_sum_to_all(float _Complex* dest, const float _Complex* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float _Complex* pWrk, long* pSync) { calls::toAll<float _Complex>(calls::sum_reduce<float _Complex>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_float_prod_to_all(float* dest, const float* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float* pWrk, long* pSync) { calls::toAll<float>(calls::prod_reduce<float>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_double_prod_to_all(double* dest, const double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double* pWrk, long* pSync) { calls::toAll<double>(calls::prod_reduce<double>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longdouble_prod_to_all(long double* dest, const long double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double* pWrk, long* pSync) { calls::toAll<long double>(calls::prod_reduce<long double>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_short_prod_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync) { calls::toAll<short>(calls::prod_reduce<short>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_int_prod_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync) { calls::toAll<int>(calls::prod_reduce<int>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_long_prod_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync) { calls::toAll<long>(calls::prod_reduce<long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_longlong_prod_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync) { calls::toAll<long long>(calls::prod_reduce<long long>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_complexd_prod_to_all(double _Complex* dest, const double _Complex* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double _Complex* pWrk, long* pSync) { calls::toAll<double _Complex>(calls::prod_reduce<double _Complex>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_complexf_prod_to_all(float _Complex* dest, const float _Complex* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float _Complex* pWrk, long* pSync) { calls::toAll<float _Complex>(calls::prod_reduce<float _Complex>, dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync); }
void shmem_put8(void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_ctx_put8(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_put16(void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<2>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, pe); }
void shmem_ctx_put16(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<2>>(ctx, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, pe); }
void shmem_put32(void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<4>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, pe); }
void shmem_ctx_put32(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<4>>(ctx, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, pe); }
void shmem_put64(void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<8>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, pe); }
void shmem_ctx_put64(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<8>>(ctx, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, pe); }
void shmem_put128(void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<16>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, pe); }
void shmem_ctx_put128(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<16>>(ctx, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, pe); }
void shmem_putmem(void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_ctx_putmem(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_get8(void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_ctx_get8(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_get16(void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<2>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, pe); }
void shmem_ctx_get16(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<2>>(ctx, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, pe); }
void shmem_get32(void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<4>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, pe); }
void shmem_ctx_get32(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<4>>(ctx, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, pe); }
void shmem_get64(void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<8>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, pe); }
void shmem_ctx_get64(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<8>>(ctx, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, pe); }
void shmem_get128(void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<16>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, pe); }
void shmem_ctx_get128(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<16>>(ctx, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, pe); }
void shmem_getmem(void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_ctx_getmem(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_put8_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_ctx_put8_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_put16_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<2>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, pe); }
void shmem_ctx_put16_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<2>>(ctx, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, pe); }
void shmem_put32_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<4>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, pe); }
void shmem_ctx_put32_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<4>>(ctx, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, pe); }
void shmem_put64_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<8>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, pe); }
void shmem_ctx_put64_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<8>>(ctx, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, pe); }
void shmem_put128_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<16>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, pe); }
void shmem_ctx_put128_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<16>>(ctx, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, pe); }
void shmem_putmem_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_ctx_putmem_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::put_nbi<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_get8_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_ctx_get8_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_get16_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<2>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, pe); }
void shmem_ctx_get16_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<2>>(ctx, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, pe); }
void shmem_get32_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<4>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, pe); }
void shmem_ctx_get32_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<4>>(ctx, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, pe); }
void shmem_get64_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<8>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, pe); }
void shmem_ctx_get64_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<8>>(ctx, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, pe); }
void shmem_get128_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<16>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, pe); }
void shmem_ctx_get128_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<16>>(ctx, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, pe); }
void shmem_getmem_nbi(void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_ctx_getmem_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe) { calls::get_nbi<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, pe); }
void shmem_iput8(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iput8(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), dst, sst, nelems, pe); }
void shmem_iput16(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<2>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iput16(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<2>>(ctx, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), dst, sst, nelems, pe); }
void shmem_iput32(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<4>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iput32(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<4>>(ctx, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), dst, sst, nelems, pe); }
void shmem_iput64(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<8>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iput64(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<8>>(ctx, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), dst, sst, nelems, pe); }
void shmem_iput128(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<16>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iput128(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iput<Bytes<16>>(ctx, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), dst, sst, nelems, pe); }
void shmem_iget8(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iget8(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), dst, sst, nelems, pe); }
void shmem_iget16(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<2>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iget16(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<2>>(ctx, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), dst, sst, nelems, pe); }
void shmem_iget32(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<4>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iget32(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<4>>(ctx, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), dst, sst, nelems, pe); }
void shmem_iget64(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<8>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iget64(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<8>>(ctx, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), dst, sst, nelems, pe); }
void shmem_iget128(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<16>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), dst, sst, nelems, pe); }
void shmem_ctx_iget128(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { calls::iget<Bytes<16>>(ctx, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), dst, sst, nelems, pe); }
void shmem_put8_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put8_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_put16_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<2>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put16_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<2>>(ctx, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_put32_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<4>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put32_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<4>>(ctx, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_put64_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<8>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put64_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<8>>(ctx, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_put128_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<16>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put128_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<16>>(ctx, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_putmem_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_putmem_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_put8_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put8_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_put16_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<2>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put16_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<2>>(ctx, static_cast<Bytes<2>*>(dest), static_cast<const Bytes<2>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_put32_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<4>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put32_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<4>>(ctx, static_cast<Bytes<4>*>(dest), static_cast<const Bytes<4>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_put64_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<8>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put64_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<8>>(ctx, static_cast<Bytes<8>*>(dest), static_cast<const Bytes<8>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_put128_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<16>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_put128_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<16>>(ctx, static_cast<Bytes<16>*>(dest), static_cast<const Bytes<16>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_putmem_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<1>>(SHMEM_CTX_DEFAULT, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, sig_addr, signal, sig_op, pe); }
void shmem_ctx_putmem_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { calls::put_signal_nbi<Bytes<1>>(ctx, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, sig_addr, signal, sig_op, pe); }
int shmem_broadcastmem(shmem_team_t team, void* dest, const void* source, size_t nelems, int PE_root) { return calls::broadcast<Bytes<1>>(team, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems, PE_root); }
int shmem_collectmem(shmem_team_t team, void* dest, const void* source, size_t nelems) { return calls::collect<Bytes<1>>(team, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems); }
int shmem_fcollectmem(shmem_team_t team, void* dest, const void* source, size_t nelems) { return calls::fcollect<Bytes<1>>(team, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems); }
int shmem_alltoallmem(shmem_team_t team, void* dest, const void* source, size_t nelems) { return calls::alltoall<Bytes<1>>(team, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), nelems); }
int shmem_alltoallsmem(shmem_team_t team, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return calls::alltoalls<Bytes<1>>(team, static_cast<Bytes<1>*>(dest), static_cast<const Bytes<1>*>(source), dst, sst, nelems); }
void shmem_no_such_type(void) {}
}

/* SPDX-License-Identifier: Apache-2.0
 * Made by interface/generate.py from interface/shmem.table. */
/* clang-format off */

#ifndef VERBENA_SHMEM_TYPED_H
#define VERBENA_SHMEM_TYPED_H

#ifdef __cplusplus
extern "C" {
#endif

/* put */
SHMEM_API void shmem_float_put(float* dest, const float* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_float_put(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe);
SHMEM_API void shmem_double_put(double* dest, const double* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_double_put(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe);
SHMEM_API void shmem_longdouble_put(long double* dest, const long double* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longdouble_put(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe);
SHMEM_API void shmem_char_put(char* dest, const char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_char_put(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe);
SHMEM_API void shmem_schar_put(signed char* dest, const signed char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_schar_put(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe);
SHMEM_API void shmem_short_put(short* dest, const short* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_short_put(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe);
SHMEM_API void shmem_int_put(int* dest, const int* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int_put(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe);
SHMEM_API void shmem_long_put(long* dest, const long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_long_put(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe);
SHMEM_API void shmem_longlong_put(long long* dest, const long long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longlong_put(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe);
SHMEM_API void shmem_uchar_put(unsigned char* dest, const unsigned char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uchar_put(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe);
SHMEM_API void shmem_ushort_put(unsigned short* dest, const unsigned short* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ushort_put(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe);
SHMEM_API void shmem_uint_put(unsigned int* dest, const unsigned int* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint_put(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe);
SHMEM_API void shmem_ulong_put(unsigned long* dest, const unsigned long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulong_put(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe);
SHMEM_API void shmem_ulonglong_put(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulonglong_put(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe);
SHMEM_API void shmem_int8_put(int8_t* dest, const int8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int8_put(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int16_put(int16_t* dest, const int16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int16_put(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int32_put(int32_t* dest, const int32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int32_put(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int64_put(int64_t* dest, const int64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int64_put(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint8_put(uint8_t* dest, const uint8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint8_put(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint16_put(uint16_t* dest, const uint16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint16_put(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint32_put(uint32_t* dest, const uint32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint32_put(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint64_put(uint64_t* dest, const uint64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint64_put(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_size_put(size_t* dest, const size_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_size_put(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ptrdiff_put(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ptrdiff_put(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe);
/* get */
SHMEM_API void shmem_float_get(float* dest, const float* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_float_get(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe);
SHMEM_API void shmem_double_get(double* dest, const double* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_double_get(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe);
SHMEM_API void shmem_longdouble_get(long double* dest, const long double* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longdouble_get(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe);
SHMEM_API void shmem_char_get(char* dest, const char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_char_get(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe);
SHMEM_API void shmem_schar_get(signed char* dest, const signed char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_schar_get(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe);
SHMEM_API void shmem_short_get(short* dest, const short* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_short_get(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe);
SHMEM_API void shmem_int_get(int* dest, const int* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int_get(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe);
SHMEM_API void shmem_long_get(long* dest, const long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_long_get(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe);
SHMEM_API void shmem_longlong_get(long long* dest, const long long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longlong_get(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe);
SHMEM_API void shmem_uchar_get(unsigned char* dest, const unsigned char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uchar_get(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe);
SHMEM_API void shmem_ushort_get(unsigned short* dest, const unsigned short* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ushort_get(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe);
SHMEM_API void shmem_uint_get(unsigned int* dest, const unsigned int* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint_get(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe);
SHMEM_API void shmem_ulong_get(unsigned long* dest, const unsigned long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulong_get(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe);
SHMEM_API void shmem_ulonglong_get(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulonglong_get(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe);
SHMEM_API void shmem_int8_get(int8_t* dest, const int8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int8_get(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int16_get(int16_t* dest, const int16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int16_get(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int32_get(int32_t* dest, const int32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int32_get(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int64_get(int64_t* dest, const int64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int64_get(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint8_get(uint8_t* dest, const uint8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint8_get(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint16_get(uint16_t* dest, const uint16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint16_get(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint32_get(uint32_t* dest, const uint32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint32_get(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint64_get(uint64_t* dest, const uint64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint64_get(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_size_get(size_t* dest, const size_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_size_get(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ptrdiff_get(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ptrdiff_get(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe);
/* put_nbi */
SHMEM_API void shmem_float_put_nbi(float* dest, const float* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_float_put_nbi(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe);
SHMEM_API void shmem_double_put_nbi(double* dest, const double* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_double_put_nbi(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe);
SHMEM_API void shmem_longdouble_put_nbi(long double* dest, const long double* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longdouble_put_nbi(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe);
SHMEM_API void shmem_char_put_nbi(char* dest, const char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_char_put_nbi(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe);
SHMEM_API void shmem_schar_put_nbi(signed char* dest, const signed char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_schar_put_nbi(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe);
SHMEM_API void shmem_short_put_nbi(short* dest, const short* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_short_put_nbi(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe);
SHMEM_API void shmem_int_put_nbi(int* dest, const int* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int_put_nbi(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe);
SHMEM_API void shmem_long_put_nbi(long* dest, const long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_long_put_nbi(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe);
SHMEM_API void shmem_longlong_put_nbi(long long* dest, const long long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longlong_put_nbi(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe);
SHMEM_API void shmem_uchar_put_nbi(unsigned char* dest, const unsigned char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uchar_put_nbi(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe);
SHMEM_API void shmem_ushort_put_nbi(unsigned short* dest, const unsigned short* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ushort_put_nbi(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe);
SHMEM_API void shmem_uint_put_nbi(unsigned int* dest, const unsigned int* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint_put_nbi(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe);
SHMEM_API void shmem_ulong_put_nbi(unsigned long* dest, const unsigned long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulong_put_nbi(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe);
SHMEM_API void shmem_ulonglong_put_nbi(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulonglong_put_nbi(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe);
SHMEM_API void shmem_int8_put_nbi(int8_t* dest, const int8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int8_put_nbi(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int16_put_nbi(int16_t* dest, const int16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int16_put_nbi(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int32_put_nbi(int32_t* dest, const int32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int32_put_nbi(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int64_put_nbi(int64_t* dest, const int64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int64_put_nbi(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint8_put_nbi(uint8_t* dest, const uint8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint8_put_nbi(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint16_put_nbi(uint16_t* dest, const uint16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint16_put_nbi(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint32_put_nbi(uint32_t* dest, const uint32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint32_put_nbi(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint64_put_nbi(uint64_t* dest, const uint64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint64_put_nbi(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_size_put_nbi(size_t* dest, const size_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_size_put_nbi(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ptrdiff_put_nbi(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ptrdiff_put_nbi(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe);
/* get_nbi */
SHMEM_API void shmem_float_get_nbi(float* dest, const float* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_float_get_nbi(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe);
SHMEM_API void shmem_double_get_nbi(double* dest, const double* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_double_get_nbi(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe);
SHMEM_API void shmem_longdouble_get_nbi(long double* dest, const long double* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longdouble_get_nbi(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe);
SHMEM_API void shmem_char_get_nbi(char* dest, const char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_char_get_nbi(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe);
SHMEM_API void shmem_schar_get_nbi(signed char* dest, const signed char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_schar_get_nbi(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe);
SHMEM_API void shmem_short_get_nbi(short* dest, const short* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_short_get_nbi(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe);
SHMEM_API void shmem_int_get_nbi(int* dest, const int* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int_get_nbi(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe);
SHMEM_API void shmem_long_get_nbi(long* dest, const long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_long_get_nbi(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe);
SHMEM_API void shmem_longlong_get_nbi(long long* dest, const long long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longlong_get_nbi(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe);
SHMEM_API void shmem_uchar_get_nbi(unsigned char* dest, const unsigned char* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uchar_get_nbi(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe);
SHMEM_API void shmem_ushort_get_nbi(unsigned short* dest, const unsigned short* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ushort_get_nbi(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe);
SHMEM_API void shmem_uint_get_nbi(unsigned int* dest, const unsigned int* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint_get_nbi(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe);
SHMEM_API void shmem_ulong_get_nbi(unsigned long* dest, const unsigned long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulong_get_nbi(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe);
SHMEM_API void shmem_ulonglong_get_nbi(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulonglong_get_nbi(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe);
SHMEM_API void shmem_int8_get_nbi(int8_t* dest, const int8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int8_get_nbi(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int16_get_nbi(int16_t* dest, const int16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int16_get_nbi(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int32_get_nbi(int32_t* dest, const int32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int32_get_nbi(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_int64_get_nbi(int64_t* dest, const int64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int64_get_nbi(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint8_get_nbi(uint8_t* dest, const uint8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint8_get_nbi(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint16_get_nbi(uint16_t* dest, const uint16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint16_get_nbi(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint32_get_nbi(uint32_t* dest, const uint32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint32_get_nbi(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, int pe);
SHMEM_API void shmem_uint64_get_nbi(uint64_t* dest, const uint64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint64_get_nbi(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, int pe);
SHMEM_API void shmem_size_get_nbi(size_t* dest, const size_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_size_get_nbi(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ptrdiff_get_nbi(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ptrdiff_get_nbi(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int pe);
/* iput */
SHMEM_API void shmem_float_iput(float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_float_iput(shmem_ctx_t ctx, float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_double_iput(double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_double_iput(shmem_ctx_t ctx, double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_longdouble_iput(long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longdouble_iput(shmem_ctx_t ctx, long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_char_iput(char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_char_iput(shmem_ctx_t ctx, char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_schar_iput(signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_schar_iput(shmem_ctx_t ctx, signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_short_iput(short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_short_iput(shmem_ctx_t ctx, short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int_iput(int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int_iput(shmem_ctx_t ctx, int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_long_iput(long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_long_iput(shmem_ctx_t ctx, long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_longlong_iput(long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longlong_iput(shmem_ctx_t ctx, long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uchar_iput(unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uchar_iput(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ushort_iput(unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ushort_iput(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint_iput(unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint_iput(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ulong_iput(unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulong_iput(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ulonglong_iput(unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulonglong_iput(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int8_iput(int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int8_iput(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int16_iput(int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int16_iput(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int32_iput(int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int32_iput(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int64_iput(int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int64_iput(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint8_iput(uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint8_iput(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint16_iput(uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint16_iput(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint32_iput(uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint32_iput(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint64_iput(uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint64_iput(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_size_iput(size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_size_iput(shmem_ctx_t ctx, size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ptrdiff_iput(ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ptrdiff_iput(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
/* iget */
SHMEM_API void shmem_float_iget(float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_float_iget(shmem_ctx_t ctx, float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_double_iget(double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_double_iget(shmem_ctx_t ctx, double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_longdouble_iget(long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longdouble_iget(shmem_ctx_t ctx, long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_char_iget(char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_char_iget(shmem_ctx_t ctx, char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_schar_iget(signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_schar_iget(shmem_ctx_t ctx, signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_short_iget(short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_short_iget(shmem_ctx_t ctx, short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int_iget(int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int_iget(shmem_ctx_t ctx, int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_long_iget(long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_long_iget(shmem_ctx_t ctx, long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_longlong_iget(long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_longlong_iget(shmem_ctx_t ctx, long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uchar_iget(unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uchar_iget(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ushort_iget(unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ushort_iget(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint_iget(unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint_iget(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ulong_iget(unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulong_iget(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ulonglong_iget(unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ulonglong_iget(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int8_iget(int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int8_iget(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int16_iget(int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int16_iget(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int32_iget(int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int32_iget(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_int64_iget(int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_int64_iget(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint8_iget(uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint8_iget(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint16_iget(uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint16_iget(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint32_iget(uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint32_iget(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_uint64_iget(uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_uint64_iget(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_size_iget(size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_size_iget(shmem_ctx_t ctx, size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ptrdiff_iget(ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_ptrdiff_iget(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
/* p */
SHMEM_API void shmem_float_p(float* dest, float value, int pe);
SHMEM_API void shmem_ctx_float_p(shmem_ctx_t ctx, float* dest, float value, int pe);
SHMEM_API void shmem_double_p(double* dest, double value, int pe);
SHMEM_API void shmem_ctx_double_p(shmem_ctx_t ctx, double* dest, double value, int pe);
SHMEM_API void shmem_longdouble_p(long double* dest, long double value, int pe);
SHMEM_API void shmem_ctx_longdouble_p(shmem_ctx_t ctx, long double* dest, long double value, int pe);
SHMEM_API void shmem_char_p(char* dest, char value, int pe);
SHMEM_API void shmem_ctx_char_p(shmem_ctx_t ctx, char* dest, char value, int pe);
SHMEM_API void shmem_schar_p(signed char* dest, signed char value, int pe);
SHMEM_API void shmem_ctx_schar_p(shmem_ctx_t ctx, signed char* dest, signed char value, int pe);
SHMEM_API void shmem_short_p(short* dest, short value, int pe);
SHMEM_API void shmem_ctx_short_p(shmem_ctx_t ctx, short* dest, short value, int pe);
SHMEM_API void shmem_int_p(int* dest, int value, int pe);
SHMEM_API void shmem_ctx_int_p(shmem_ctx_t ctx, int* dest, int value, int pe);
SHMEM_API void shmem_long_p(long* dest, long value, int pe);
SHMEM_API void shmem_ctx_long_p(shmem_ctx_t ctx, long* dest, long value, int pe);
SHMEM_API void shmem_longlong_p(long long* dest, long long value, int pe);
SHMEM_API void shmem_ctx_longlong_p(shmem_ctx_t ctx, long long* dest, long long value, int pe);
SHMEM_API void shmem_uchar_p(unsigned char* dest, unsigned char value, int pe);
SHMEM_API void shmem_ctx_uchar_p(shmem_ctx_t ctx, unsigned char* dest, unsigned char value, int pe);
SHMEM_API void shmem_ushort_p(unsigned short* dest, unsigned short value, int pe);
SHMEM_API void shmem_ctx_ushort_p(shmem_ctx_t ctx, unsigned short* dest, unsigned short value, int pe);
SHMEM_API void shmem_uint_p(unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_p(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_p(unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_p(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_p(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_p(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int8_p(int8_t* dest, int8_t value, int pe);
SHMEM_API void shmem_ctx_int8_p(shmem_ctx_t ctx, int8_t* dest, int8_t value, int pe);
SHMEM_API void shmem_int16_p(int16_t* dest, int16_t value, int pe);
SHMEM_API void shmem_ctx_int16_p(shmem_ctx_t ctx, int16_t* dest, int16_t value, int pe);
SHMEM_API void shmem_int32_p(int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_p(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_p(int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_p(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint8_p(uint8_t* dest, uint8_t value, int pe);
SHMEM_API void shmem_ctx_uint8_p(shmem_ctx_t ctx, uint8_t* dest, uint8_t value, int pe);
SHMEM_API void shmem_uint16_p(uint16_t* dest, uint16_t value, int pe);
SHMEM_API void shmem_ctx_uint16_p(shmem_ctx_t ctx, uint16_t* dest, uint16_t value, int pe);
SHMEM_API void shmem_uint32_p(uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_p(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_p(uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_p(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_size_p(size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ctx_size_p(shmem_ctx_t ctx, size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ptrdiff_p(ptrdiff_t* dest, ptrdiff_t value, int pe);
SHMEM_API void shmem_ctx_ptrdiff_p(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe);
/* g */
SHMEM_API float shmem_float_g(const float* source, int pe);
SHMEM_API float shmem_ctx_float_g(shmem_ctx_t ctx, const float* source, int pe);
SHMEM_API double shmem_double_g(const double* source, int pe);
SHMEM_API double shmem_ctx_double_g(shmem_ctx_t ctx, const double* source, int pe);
SHMEM_API long double shmem_longdouble_g(const long double* source, int pe);
SHMEM_API long double shmem_ctx_longdouble_g(shmem_ctx_t ctx, const long double* source, int pe);
SHMEM_API char shmem_char_g(const char* source, int pe);
SHMEM_API char shmem_ctx_char_g(shmem_ctx_t ctx, const char* source, int pe);
SHMEM_API signed char shmem_schar_g(const signed char* source, int pe);
SHMEM_API signed char shmem_ctx_schar_g(shmem_ctx_t ctx, const signed char* source, int pe);
SHMEM_API short shmem_short_g(const short* source, int pe);
SHMEM_API short shmem_ctx_short_g(shmem_ctx_t ctx, const short* source, int pe);
SHMEM_API int shmem_int_g(const int* source, int pe);
SHMEM_API int shmem_ctx_int_g(shmem_ctx_t ctx, const int* source, int pe);
SHMEM_API long shmem_long_g(const long* source, int pe);
SHMEM_API long shmem_ctx_long_g(shmem_ctx_t ctx, const long* source, int pe);
SHMEM_API long long shmem_longlong_g(const long long* source, int pe);
SHMEM_API long long shmem_ctx_longlong_g(shmem_ctx_t ctx, const long long* source, int pe);
SHMEM_API unsigned char shmem_uchar_g(const unsigned char* source, int pe);
SHMEM_API unsigned char shmem_ctx_uchar_g(shmem_ctx_t ctx, const unsigned char* source, int pe);
SHMEM_API unsigned short shmem_ushort_g(const unsigned short* source, int pe);
SHMEM_API unsigned short shmem_ctx_ushort_g(shmem_ctx_t ctx, const unsigned short* source, int pe);
SHMEM_API unsigned int shmem_uint_g(const unsigned int* source, int pe);
SHMEM_API unsigned int shmem_ctx_uint_g(shmem_ctx_t ctx, const unsigned int* source, int pe);
SHMEM_API unsigned long shmem_ulong_g(const unsigned long* source, int pe);
SHMEM_API unsigned long shmem_ctx_ulong_g(shmem_ctx_t ctx, const unsigned long* source, int pe);
SHMEM_API unsigned long long shmem_ulonglong_g(const unsigned long long* source, int pe);
SHMEM_API unsigned long long shmem_ctx_ulonglong_g(shmem_ctx_t ctx, const unsigned long long* source, int pe);
SHMEM_API int8_t shmem_int8_g(const int8_t* source, int pe);
SHMEM_API int8_t shmem_ctx_int8_g(shmem_ctx_t ctx, const int8_t* source, int pe);
SHMEM_API int16_t shmem_int16_g(const int16_t* source, int pe);
SHMEM_API int16_t shmem_ctx_int16_g(shmem_ctx_t ctx, const int16_t* source, int pe);
SHMEM_API int32_t shmem_int32_g(const int32_t* source, int pe);
SHMEM_API int32_t shmem_ctx_int32_g(shmem_ctx_t ctx, const int32_t* source, int pe);
SHMEM_API int64_t shmem_int64_g(const int64_t* source, int pe);
SHMEM_API int64_t shmem_ctx_int64_g(shmem_ctx_t ctx, const int64_t* source, int pe);
SHMEM_API uint8_t shmem_uint8_g(const uint8_t* source, int pe);
SHMEM_API uint8_t shmem_ctx_uint8_g(shmem_ctx_t ctx, const uint8_t* source, int pe);
SHMEM_API uint16_t shmem_uint16_g(const uint16_t* source, int pe);
SHMEM_API uint16_t shmem_ctx_uint16_g(shmem_ctx_t ctx, const uint16_t* source, int pe);
SHMEM_API uint32_t shmem_uint32_g(const uint32_t* source, int pe);
SHMEM_API uint32_t shmem_ctx_uint32_g(shmem_ctx_t ctx, const uint32_t* source, int pe);
SHMEM_API uint64_t shmem_uint64_g(const uint64_t* source, int pe);
SHMEM_API uint64_t shmem_ctx_uint64_g(shmem_ctx_t ctx, const uint64_t* source, int pe);
SHMEM_API size_t shmem_size_g(const size_t* source, int pe);
SHMEM_API size_t shmem_ctx_size_g(shmem_ctx_t ctx, const size_t* source, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_g(const ptrdiff_t* source, int pe);
SHMEM_API ptrdiff_t shmem_ctx_ptrdiff_g(shmem_ctx_t ctx, const ptrdiff_t* source, int pe);
/* put_signal */
SHMEM_API void shmem_float_put_signal(float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_float_put_signal(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_double_put_signal(double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_double_put_signal(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_longdouble_put_signal(long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_longdouble_put_signal(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_char_put_signal(char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_char_put_signal(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_schar_put_signal(signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_schar_put_signal(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_short_put_signal(short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_short_put_signal(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int_put_signal(int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int_put_signal(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_long_put_signal(long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_long_put_signal(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_longlong_put_signal(long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_longlong_put_signal(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uchar_put_signal(unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uchar_put_signal(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ushort_put_signal(unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_ushort_put_signal(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint_put_signal(unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint_put_signal(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ulong_put_signal(unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_ulong_put_signal(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ulonglong_put_signal(unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_ulonglong_put_signal(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int8_put_signal(int8_t* dest, const int8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int8_put_signal(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int16_put_signal(int16_t* dest, const int16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int16_put_signal(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int32_put_signal(int32_t* dest, const int32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int32_put_signal(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int64_put_signal(int64_t* dest, const int64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int64_put_signal(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint8_put_signal(uint8_t* dest, const uint8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint8_put_signal(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint16_put_signal(uint16_t* dest, const uint16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint16_put_signal(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint32_put_signal(uint32_t* dest, const uint32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint32_put_signal(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint64_put_signal(uint64_t* dest, const uint64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint64_put_signal(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_size_put_signal(size_t* dest, const size_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_size_put_signal(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ptrdiff_put_signal(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_ptrdiff_put_signal(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
/* put_signal_nbi */
SHMEM_API void shmem_float_put_signal_nbi(float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_float_put_signal_nbi(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_double_put_signal_nbi(double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_double_put_signal_nbi(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_longdouble_put_signal_nbi(long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_longdouble_put_signal_nbi(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_char_put_signal_nbi(char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_char_put_signal_nbi(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_schar_put_signal_nbi(signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_schar_put_signal_nbi(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_short_put_signal_nbi(short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_short_put_signal_nbi(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int_put_signal_nbi(int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int_put_signal_nbi(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_long_put_signal_nbi(long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_long_put_signal_nbi(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_longlong_put_signal_nbi(long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_longlong_put_signal_nbi(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uchar_put_signal_nbi(unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uchar_put_signal_nbi(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ushort_put_signal_nbi(unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_ushort_put_signal_nbi(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint_put_signal_nbi(unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint_put_signal_nbi(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ulong_put_signal_nbi(unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_ulong_put_signal_nbi(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ulonglong_put_signal_nbi(unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_ulonglong_put_signal_nbi(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int8_put_signal_nbi(int8_t* dest, const int8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int8_put_signal_nbi(shmem_ctx_t ctx, int8_t* dest, const int8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int16_put_signal_nbi(int16_t* dest, const int16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int16_put_signal_nbi(shmem_ctx_t ctx, int16_t* dest, const int16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int32_put_signal_nbi(int32_t* dest, const int32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int32_put_signal_nbi(shmem_ctx_t ctx, int32_t* dest, const int32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_int64_put_signal_nbi(int64_t* dest, const int64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_int64_put_signal_nbi(shmem_ctx_t ctx, int64_t* dest, const int64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint8_put_signal_nbi(uint8_t* dest, const uint8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint8_put_signal_nbi(shmem_ctx_t ctx, uint8_t* dest, const uint8_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint16_put_signal_nbi(uint16_t* dest, const uint16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint16_put_signal_nbi(shmem_ctx_t ctx, uint16_t* dest, const uint16_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint32_put_signal_nbi(uint32_t* dest, const uint32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint32_put_signal_nbi(shmem_ctx_t ctx, uint32_t* dest, const uint32_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_uint64_put_signal_nbi(uint64_t* dest, const uint64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_uint64_put_signal_nbi(shmem_ctx_t ctx, uint64_t* dest, const uint64_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_size_put_signal_nbi(size_t* dest, const size_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_size_put_signal_nbi(shmem_ctx_t ctx, size_t* dest, const size_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ptrdiff_put_signal_nbi(ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_ptrdiff_put_signal_nbi(shmem_ctx_t ctx, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
/* atomic_fetch */
SHMEM_API float shmem_float_atomic_fetch(const float* source, int pe);
SHMEM_API float shmem_ctx_float_atomic_fetch(shmem_ctx_t ctx, const float* source, int pe);
SHMEM_API double shmem_double_atomic_fetch(const double* source, int pe);
SHMEM_API double shmem_ctx_double_atomic_fetch(shmem_ctx_t ctx, const double* source, int pe);
SHMEM_API int shmem_int_atomic_fetch(const int* source, int pe);
SHMEM_API int shmem_ctx_int_atomic_fetch(shmem_ctx_t ctx, const int* source, int pe);
SHMEM_API long shmem_long_atomic_fetch(const long* source, int pe);
SHMEM_API long shmem_ctx_long_atomic_fetch(shmem_ctx_t ctx, const long* source, int pe);
SHMEM_API long long shmem_longlong_atomic_fetch(const long long* source, int pe);
SHMEM_API long long shmem_ctx_longlong_atomic_fetch(shmem_ctx_t ctx, const long long* source, int pe);
SHMEM_API unsigned int shmem_uint_atomic_fetch(const unsigned int* source, int pe);
SHMEM_API unsigned int shmem_ctx_uint_atomic_fetch(shmem_ctx_t ctx, const unsigned int* source, int pe);
SHMEM_API unsigned long shmem_ulong_atomic_fetch(const unsigned long* source, int pe);
SHMEM_API unsigned long shmem_ctx_ulong_atomic_fetch(shmem_ctx_t ctx, const unsigned long* source, int pe);
SHMEM_API unsigned long long shmem_ulonglong_atomic_fetch(const unsigned long long* source, int pe);
SHMEM_API unsigned long long shmem_ctx_ulonglong_atomic_fetch(shmem_ctx_t ctx, const unsigned long long* source, int pe);
SHMEM_API int32_t shmem_int32_atomic_fetch(const int32_t* source, int pe);
SHMEM_API int32_t shmem_ctx_int32_atomic_fetch(shmem_ctx_t ctx, const int32_t* source, int pe);
SHMEM_API int64_t shmem_int64_atomic_fetch(const int64_t* source, int pe);
SHMEM_API int64_t shmem_ctx_int64_atomic_fetch(shmem_ctx_t ctx, const int64_t* source, int pe);
SHMEM_API uint32_t shmem_uint32_atomic_fetch(const uint32_t* source, int pe);
SHMEM_API uint32_t shmem_ctx_uint32_atomic_fetch(shmem_ctx_t ctx, const uint32_t* source, int pe);
SHMEM_API uint64_t shmem_uint64_atomic_fetch(const uint64_t* source, int pe);
SHMEM_API uint64_t shmem_ctx_uint64_atomic_fetch(shmem_ctx_t ctx, const uint64_t* source, int pe);
SHMEM_API size_t shmem_size_atomic_fetch(const size_t* source, int pe);
SHMEM_API size_t shmem_ctx_size_atomic_fetch(shmem_ctx_t ctx, const size_t* source, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_atomic_fetch(const ptrdiff_t* source, int pe);
SHMEM_API ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch(shmem_ctx_t ctx, const ptrdiff_t* source, int pe);
/* atomic_set */
SHMEM_API void shmem_float_atomic_set(float* dest, float value, int pe);
SHMEM_API void shmem_ctx_float_atomic_set(shmem_ctx_t ctx, float* dest, float value, int pe);
SHMEM_API void shmem_double_atomic_set(double* dest, double value, int pe);
SHMEM_API void shmem_ctx_double_atomic_set(shmem_ctx_t ctx, double* dest, double value, int pe);
SHMEM_API void shmem_int_atomic_set(int* dest, int value, int pe);
SHMEM_API void shmem_ctx_int_atomic_set(shmem_ctx_t ctx, int* dest, int value, int pe);
SHMEM_API void shmem_long_atomic_set(long* dest, long value, int pe);
SHMEM_API void shmem_ctx_long_atomic_set(shmem_ctx_t ctx, long* dest, long value, int pe);
SHMEM_API void shmem_longlong_atomic_set(long long* dest, long long value, int pe);
SHMEM_API void shmem_ctx_longlong_atomic_set(shmem_ctx_t ctx, long long* dest, long long value, int pe);
SHMEM_API void shmem_uint_atomic_set(unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_set(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_set(unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_set(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_set(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_set(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_set(int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_set(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_set(int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_set(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_set(uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_set(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_set(uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_set(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_size_atomic_set(size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ctx_size_atomic_set(shmem_ctx_t ctx, size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ptrdiff_atomic_set(ptrdiff_t* dest, ptrdiff_t value, int pe);
SHMEM_API void shmem_ctx_ptrdiff_atomic_set(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe);
/* atomic_swap */
SHMEM_API float shmem_float_atomic_swap(float* dest, float value, int pe);
SHMEM_API float shmem_ctx_float_atomic_swap(shmem_ctx_t ctx, float* dest, float value, int pe);
SHMEM_API double shmem_double_atomic_swap(double* dest, double value, int pe);
SHMEM_API double shmem_ctx_double_atomic_swap(shmem_ctx_t ctx, double* dest, double value, int pe);
SHMEM_API int shmem_int_atomic_swap(int* dest, int value, int pe);
SHMEM_API int shmem_ctx_int_atomic_swap(shmem_ctx_t ctx, int* dest, int value, int pe);
SHMEM_API long shmem_long_atomic_swap(long* dest, long value, int pe);
SHMEM_API long shmem_ctx_long_atomic_swap(shmem_ctx_t ctx, long* dest, long value, int pe);
SHMEM_API long long shmem_longlong_atomic_swap(long long* dest, long long value, int pe);
SHMEM_API long long shmem_ctx_longlong_atomic_swap(shmem_ctx_t ctx, long long* dest, long long value, int pe);
SHMEM_API unsigned int shmem_uint_atomic_swap(unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned int shmem_ctx_uint_atomic_swap(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned long shmem_ulong_atomic_swap(unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long shmem_ctx_ulong_atomic_swap(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long long shmem_ulonglong_atomic_swap(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API unsigned long long shmem_ctx_ulonglong_atomic_swap(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API int32_t shmem_int32_atomic_swap(int32_t* dest, int32_t value, int pe);
SHMEM_API int32_t shmem_ctx_int32_atomic_swap(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API int64_t shmem_int64_atomic_swap(int64_t* dest, int64_t value, int pe);
SHMEM_API int64_t shmem_ctx_int64_atomic_swap(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API uint32_t shmem_uint32_atomic_swap(uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint32_t shmem_ctx_uint32_atomic_swap(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint64_t shmem_uint64_atomic_swap(uint64_t* dest, uint64_t value, int pe);
SHMEM_API uint64_t shmem_ctx_uint64_atomic_swap(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
SHMEM_API size_t shmem_size_atomic_swap(size_t* dest, size_t value, int pe);
SHMEM_API size_t shmem_ctx_size_atomic_swap(shmem_ctx_t ctx, size_t* dest, size_t value, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_atomic_swap(ptrdiff_t* dest, ptrdiff_t value, int pe);
SHMEM_API ptrdiff_t shmem_ctx_ptrdiff_atomic_swap(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe);
/* atomic_compare_swap */
SHMEM_API int shmem_int_atomic_compare_swap(int* dest, int cond, int value, int pe);
SHMEM_API int shmem_ctx_int_atomic_compare_swap(shmem_ctx_t ctx, int* dest, int cond, int value, int pe);
SHMEM_API long shmem_long_atomic_compare_swap(long* dest, long cond, long value, int pe);
SHMEM_API long shmem_ctx_long_atomic_compare_swap(shmem_ctx_t ctx, long* dest, long cond, long value, int pe);
SHMEM_API long long shmem_longlong_atomic_compare_swap(long long* dest, long long cond, long long value, int pe);
SHMEM_API long long shmem_ctx_longlong_atomic_compare_swap(shmem_ctx_t ctx, long long* dest, long long cond, long long value, int pe);
SHMEM_API unsigned int shmem_uint_atomic_compare_swap(unsigned int* dest, unsigned int cond, unsigned int value, int pe);
SHMEM_API unsigned int shmem_ctx_uint_atomic_compare_swap(shmem_ctx_t ctx, unsigned int* dest, unsigned int cond, unsigned int value, int pe);
SHMEM_API unsigned long shmem_ulong_atomic_compare_swap(unsigned long* dest, unsigned long cond, unsigned long value, int pe);
SHMEM_API unsigned long shmem_ctx_ulong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long* dest, unsigned long cond, unsigned long value, int pe);
SHMEM_API unsigned long long shmem_ulonglong_atomic_compare_swap(unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe);
SHMEM_API unsigned long long shmem_ctx_ulonglong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe);
SHMEM_API int32_t shmem_int32_atomic_compare_swap(int32_t* dest, int32_t cond, int32_t value, int pe);
SHMEM_API int32_t shmem_ctx_int32_atomic_compare_swap(shmem_ctx_t ctx, int32_t* dest, int32_t cond, int32_t value, int pe);
SHMEM_API int64_t shmem_int64_atomic_compare_swap(int64_t* dest, int64_t cond, int64_t value, int pe);
SHMEM_API int64_t shmem_ctx_int64_atomic_compare_swap(shmem_ctx_t ctx, int64_t* dest, int64_t cond, int64_t value, int pe);
SHMEM_API uint32_t shmem_uint32_atomic_compare_swap(uint32_t* dest, uint32_t cond, uint32_t value, int pe);
SHMEM_API uint32_t shmem_ctx_uint32_atomic_compare_swap(shmem_ctx_t ctx, uint32_t* dest, uint32_t cond, uint32_t value, int pe);
SHMEM_API uint64_t shmem_uint64_atomic_compare_swap(uint64_t* dest, uint64_t cond, uint64_t value, int pe);
SHMEM_API uint64_t shmem_ctx_uint64_atomic_compare_swap(shmem_ctx_t ctx, uint64_t* dest, uint64_t cond, uint64_t value, int pe);
SHMEM_API size_t shmem_size_atomic_compare_swap(size_t* dest, size_t cond, size_t value, int pe);
SHMEM_API size_t shmem_ctx_size_atomic_compare_swap(shmem_ctx_t ctx, size_t* dest, size_t cond, size_t value, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_atomic_compare_swap(ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe);
SHMEM_API ptrdiff_t shmem_ctx_ptrdiff_atomic_compare_swap(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe);
/* atomic_fetch_inc */
SHMEM_API int shmem_int_atomic_fetch_inc(int* dest, int pe);
SHMEM_API int shmem_ctx_int_atomic_fetch_inc(shmem_ctx_t ctx, int* dest, int pe);
SHMEM_API long shmem_long_atomic_fetch_inc(long* dest, int pe);
SHMEM_API long shmem_ctx_long_atomic_fetch_inc(shmem_ctx_t ctx, long* dest, int pe);
SHMEM_API long long shmem_longlong_atomic_fetch_inc(long long* dest, int pe);
SHMEM_API long long shmem_ctx_longlong_atomic_fetch_inc(shmem_ctx_t ctx, long long* dest, int pe);
SHMEM_API unsigned int shmem_uint_atomic_fetch_inc(unsigned int* dest, int pe);
SHMEM_API unsigned int shmem_ctx_uint_atomic_fetch_inc(shmem_ctx_t ctx, unsigned int* dest, int pe);
SHMEM_API unsigned long shmem_ulong_atomic_fetch_inc(unsigned long* dest, int pe);
SHMEM_API unsigned long shmem_ctx_ulong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long* dest, int pe);
SHMEM_API unsigned long long shmem_ulonglong_atomic_fetch_inc(unsigned long long* dest, int pe);
SHMEM_API unsigned long long shmem_ctx_ulonglong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long long* dest, int pe);
SHMEM_API int32_t shmem_int32_atomic_fetch_inc(int32_t* dest, int pe);
SHMEM_API int32_t shmem_ctx_int32_atomic_fetch_inc(shmem_ctx_t ctx, int32_t* dest, int pe);
SHMEM_API int64_t shmem_int64_atomic_fetch_inc(int64_t* dest, int pe);
SHMEM_API int64_t shmem_ctx_int64_atomic_fetch_inc(shmem_ctx_t ctx, int64_t* dest, int pe);
SHMEM_API uint32_t shmem_uint32_atomic_fetch_inc(uint32_t* dest, int pe);
SHMEM_API uint32_t shmem_ctx_uint32_atomic_fetch_inc(shmem_ctx_t ctx, uint32_t* dest, int pe);
SHMEM_API uint64_t shmem_uint64_atomic_fetch_inc(uint64_t* dest, int pe);
SHMEM_API uint64_t shmem_ctx_uint64_atomic_fetch_inc(shmem_ctx_t ctx, uint64_t* dest, int pe);
SHMEM_API size_t shmem_size_atomic_fetch_inc(size_t* dest, int pe);
SHMEM_API size_t shmem_ctx_size_atomic_fetch_inc(shmem_ctx_t ctx, size_t* dest, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_atomic_fetch_inc(ptrdiff_t* dest, int pe);
SHMEM_API ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_inc(shmem_ctx_t ctx, ptrdiff_t* dest, int pe);
/* atomic_inc */
SHMEM_API void shmem_int_atomic_inc(int* dest, int pe);
SHMEM_API void shmem_ctx_int_atomic_inc(shmem_ctx_t ctx, int* dest, int pe);
SHMEM_API void shmem_long_atomic_inc(long* dest, int pe);
SHMEM_API void shmem_ctx_long_atomic_inc(shmem_ctx_t ctx, long* dest, int pe);
SHMEM_API void shmem_longlong_atomic_inc(long long* dest, int pe);
SHMEM_API void shmem_ctx_longlong_atomic_inc(shmem_ctx_t ctx, long long* dest, int pe);
SHMEM_API void shmem_uint_atomic_inc(unsigned int* dest, int pe);
SHMEM_API void shmem_ctx_uint_atomic_inc(shmem_ctx_t ctx, unsigned int* dest, int pe);
SHMEM_API void shmem_ulong_atomic_inc(unsigned long* dest, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_inc(shmem_ctx_t ctx, unsigned long* dest, int pe);
SHMEM_API void shmem_ulonglong_atomic_inc(unsigned long long* dest, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_inc(shmem_ctx_t ctx, unsigned long long* dest, int pe);
SHMEM_API void shmem_int32_atomic_inc(int32_t* dest, int pe);
SHMEM_API void shmem_ctx_int32_atomic_inc(shmem_ctx_t ctx, int32_t* dest, int pe);
SHMEM_API void shmem_int64_atomic_inc(int64_t* dest, int pe);
SHMEM_API void shmem_ctx_int64_atomic_inc(shmem_ctx_t ctx, int64_t* dest, int pe);
SHMEM_API void shmem_uint32_atomic_inc(uint32_t* dest, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_inc(shmem_ctx_t ctx, uint32_t* dest, int pe);
SHMEM_API void shmem_uint64_atomic_inc(uint64_t* dest, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_inc(shmem_ctx_t ctx, uint64_t* dest, int pe);
SHMEM_API void shmem_size_atomic_inc(size_t* dest, int pe);
SHMEM_API void shmem_ctx_size_atomic_inc(shmem_ctx_t ctx, size_t* dest, int pe);
SHMEM_API void shmem_ptrdiff_atomic_inc(ptrdiff_t* dest, int pe);
SHMEM_API void shmem_ctx_ptrdiff_atomic_inc(shmem_ctx_t ctx, ptrdiff_t* dest, int pe);
/* atomic_fetch_add */
SHMEM_API int shmem_int_atomic_fetch_add(int* dest, int value, int pe);
SHMEM_API int shmem_ctx_int_atomic_fetch_add(shmem_ctx_t ctx, int* dest, int value, int pe);
SHMEM_API long shmem_long_atomic_fetch_add(long* dest, long value, int pe);
SHMEM_API long shmem_ctx_long_atomic_fetch_add(shmem_ctx_t ctx, long* dest, long value, int pe);
SHMEM_API long long shmem_longlong_atomic_fetch_add(long long* dest, long long value, int pe);
SHMEM_API long long shmem_ctx_longlong_atomic_fetch_add(shmem_ctx_t ctx, long long* dest, long long value, int pe);
SHMEM_API unsigned int shmem_uint_atomic_fetch_add(unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned int shmem_ctx_uint_atomic_fetch_add(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned long shmem_ulong_atomic_fetch_add(unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long shmem_ctx_ulong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long long shmem_ulonglong_atomic_fetch_add(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API unsigned long long shmem_ctx_ulonglong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API int32_t shmem_int32_atomic_fetch_add(int32_t* dest, int32_t value, int pe);
SHMEM_API int32_t shmem_ctx_int32_atomic_fetch_add(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API int64_t shmem_int64_atomic_fetch_add(int64_t* dest, int64_t value, int pe);
SHMEM_API int64_t shmem_ctx_int64_atomic_fetch_add(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API uint32_t shmem_uint32_atomic_fetch_add(uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint32_t shmem_ctx_uint32_atomic_fetch_add(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint64_t shmem_uint64_atomic_fetch_add(uint64_t* dest, uint64_t value, int pe);
SHMEM_API uint64_t shmem_ctx_uint64_atomic_fetch_add(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
SHMEM_API size_t shmem_size_atomic_fetch_add(size_t* dest, size_t value, int pe);
SHMEM_API size_t shmem_ctx_size_atomic_fetch_add(shmem_ctx_t ctx, size_t* dest, size_t value, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_atomic_fetch_add(ptrdiff_t* dest, ptrdiff_t value, int pe);
SHMEM_API ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_add(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe);
/* atomic_add */
SHMEM_API void shmem_int_atomic_add(int* dest, int value, int pe);
SHMEM_API void shmem_ctx_int_atomic_add(shmem_ctx_t ctx, int* dest, int value, int pe);
SHMEM_API void shmem_long_atomic_add(long* dest, long value, int pe);
SHMEM_API void shmem_ctx_long_atomic_add(shmem_ctx_t ctx, long* dest, long value, int pe);
SHMEM_API void shmem_longlong_atomic_add(long long* dest, long long value, int pe);
SHMEM_API void shmem_ctx_longlong_atomic_add(shmem_ctx_t ctx, long long* dest, long long value, int pe);
SHMEM_API void shmem_uint_atomic_add(unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_add(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_add(unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_add(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_add(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_add(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_add(int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_add(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_add(int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_add(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_add(uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_add(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_add(uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_add(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_size_atomic_add(size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ctx_size_atomic_add(shmem_ctx_t ctx, size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ptrdiff_atomic_add(ptrdiff_t* dest, ptrdiff_t value, int pe);
SHMEM_API void shmem_ctx_ptrdiff_atomic_add(shmem_ctx_t ctx, ptrdiff_t* dest, ptrdiff_t value, int pe);
/* atomic_fetch_and */
SHMEM_API unsigned int shmem_uint_atomic_fetch_and(unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned int shmem_ctx_uint_atomic_fetch_and(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned long shmem_ulong_atomic_fetch_and(unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long shmem_ctx_ulong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long long shmem_ulonglong_atomic_fetch_and(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API unsigned long long shmem_ctx_ulonglong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API int32_t shmem_int32_atomic_fetch_and(int32_t* dest, int32_t value, int pe);
SHMEM_API int32_t shmem_ctx_int32_atomic_fetch_and(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API int64_t shmem_int64_atomic_fetch_and(int64_t* dest, int64_t value, int pe);
SHMEM_API int64_t shmem_ctx_int64_atomic_fetch_and(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API uint32_t shmem_uint32_atomic_fetch_and(uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint32_t shmem_ctx_uint32_atomic_fetch_and(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint64_t shmem_uint64_atomic_fetch_and(uint64_t* dest, uint64_t value, int pe);
SHMEM_API uint64_t shmem_ctx_uint64_atomic_fetch_and(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
/* atomic_and */
SHMEM_API void shmem_uint_atomic_and(unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_and(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_and(unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_and(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_and(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_and(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_and(int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_and(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_and(int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_and(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_and(uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_and(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_and(uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_and(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
/* atomic_fetch_or */
SHMEM_API unsigned int shmem_uint_atomic_fetch_or(unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned int shmem_ctx_uint_atomic_fetch_or(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned long shmem_ulong_atomic_fetch_or(unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long shmem_ctx_ulong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long long shmem_ulonglong_atomic_fetch_or(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API unsigned long long shmem_ctx_ulonglong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API int32_t shmem_int32_atomic_fetch_or(int32_t* dest, int32_t value, int pe);
SHMEM_API int32_t shmem_ctx_int32_atomic_fetch_or(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API int64_t shmem_int64_atomic_fetch_or(int64_t* dest, int64_t value, int pe);
SHMEM_API int64_t shmem_ctx_int64_atomic_fetch_or(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API uint32_t shmem_uint32_atomic_fetch_or(uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint32_t shmem_ctx_uint32_atomic_fetch_or(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint64_t shmem_uint64_atomic_fetch_or(uint64_t* dest, uint64_t value, int pe);
SHMEM_API uint64_t shmem_ctx_uint64_atomic_fetch_or(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
/* atomic_or */
SHMEM_API void shmem_uint_atomic_or(unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_or(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_or(unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_or(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_or(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_or(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_or(int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_or(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_or(int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_or(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_or(uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_or(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_or(uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_or(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
/* atomic_fetch_xor */
SHMEM_API unsigned int shmem_uint_atomic_fetch_xor(unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned int shmem_ctx_uint_atomic_fetch_xor(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned long shmem_ulong_atomic_fetch_xor(unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long shmem_ctx_ulong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long long shmem_ulonglong_atomic_fetch_xor(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API unsigned long long shmem_ctx_ulonglong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API int32_t shmem_int32_atomic_fetch_xor(int32_t* dest, int32_t value, int pe);
SHMEM_API int32_t shmem_ctx_int32_atomic_fetch_xor(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API int64_t shmem_int64_atomic_fetch_xor(int64_t* dest, int64_t value, int pe);
SHMEM_API int64_t shmem_ctx_int64_atomic_fetch_xor(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API uint32_t shmem_uint32_atomic_fetch_xor(uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint32_t shmem_ctx_uint32_atomic_fetch_xor(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint64_t shmem_uint64_atomic_fetch_xor(uint64_t* dest, uint64_t value, int pe);
SHMEM_API uint64_t shmem_ctx_uint64_atomic_fetch_xor(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
/* atomic_xor */
SHMEM_API void shmem_uint_atomic_xor(unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_xor(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_xor(unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_xor(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_xor(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_xor(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_xor(int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_xor(shmem_ctx_t ctx, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_xor(int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_xor(shmem_ctx_t ctx, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_xor(uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_xor(shmem_ctx_t ctx, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_xor(uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_xor(shmem_ctx_t ctx, uint64_t* dest, uint64_t value, int pe);
/* atomic_fetch_nbi */
SHMEM_API void shmem_float_atomic_fetch_nbi(float* fetch, const float* source, int pe);
SHMEM_API void shmem_ctx_float_atomic_fetch_nbi(shmem_ctx_t ctx, float* fetch, const float* source, int pe);
SHMEM_API void shmem_double_atomic_fetch_nbi(double* fetch, const double* source, int pe);
SHMEM_API void shmem_ctx_double_atomic_fetch_nbi(shmem_ctx_t ctx, double* fetch, const double* source, int pe);
SHMEM_API void shmem_int_atomic_fetch_nbi(int* fetch, const int* source, int pe);
SHMEM_API void shmem_ctx_int_atomic_fetch_nbi(shmem_ctx_t ctx, int* fetch, const int* source, int pe);
SHMEM_API void shmem_long_atomic_fetch_nbi(long* fetch, const long* source, int pe);
SHMEM_API void shmem_ctx_long_atomic_fetch_nbi(shmem_ctx_t ctx, long* fetch, const long* source, int pe);
SHMEM_API void shmem_longlong_atomic_fetch_nbi(long long* fetch, const long long* source, int pe);
SHMEM_API void shmem_ctx_longlong_atomic_fetch_nbi(shmem_ctx_t ctx, long long* fetch, const long long* source, int pe);
SHMEM_API void shmem_uint_atomic_fetch_nbi(unsigned int* fetch, const unsigned int* source, int pe);
SHMEM_API void shmem_ctx_uint_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned int* fetch, const unsigned int* source, int pe);
SHMEM_API void shmem_ulong_atomic_fetch_nbi(unsigned long* fetch, const unsigned long* source, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long* fetch, const unsigned long* source, int pe);
SHMEM_API void shmem_ulonglong_atomic_fetch_nbi(unsigned long long* fetch, const unsigned long long* source, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long long* fetch, const unsigned long long* source, int pe);
SHMEM_API void shmem_int32_atomic_fetch_nbi(int32_t* fetch, const int32_t* source, int pe);
SHMEM_API void shmem_ctx_int32_atomic_fetch_nbi(shmem_ctx_t ctx, int32_t* fetch, const int32_t* source, int pe);
SHMEM_API void shmem_int64_atomic_fetch_nbi(int64_t* fetch, const int64_t* source, int pe);
SHMEM_API void shmem_ctx_int64_atomic_fetch_nbi(shmem_ctx_t ctx, int64_t* fetch, const int64_t* source, int pe);
SHMEM_API void shmem_uint32_atomic_fetch_nbi(uint32_t* fetch, const uint32_t* source, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_fetch_nbi(shmem_ctx_t ctx, uint32_t* fetch, const uint32_t* source, int pe);
SHMEM_API void shmem_uint64_atomic_fetch_nbi(uint64_t* fetch, const uint64_t* source, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_fetch_nbi(shmem_ctx_t ctx, uint64_t* fetch, const uint64_t* source, int pe);
SHMEM_API void shmem_size_atomic_fetch_nbi(size_t* fetch, const size_t* source, int pe);
SHMEM_API void shmem_ctx_size_atomic_fetch_nbi(shmem_ctx_t ctx, size_t* fetch, const size_t* source, int pe);
SHMEM_API void shmem_ptrdiff_atomic_fetch_nbi(ptrdiff_t* fetch, const ptrdiff_t* source, int pe);
SHMEM_API void shmem_ctx_ptrdiff_atomic_fetch_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, const ptrdiff_t* source, int pe);
/* atomic_swap_nbi */
SHMEM_API void shmem_float_atomic_swap_nbi(float* fetch, float* dest, float value, int pe);
SHMEM_API void shmem_ctx_float_atomic_swap_nbi(shmem_ctx_t ctx, float* fetch, float* dest, float value, int pe);
SHMEM_API void shmem_double_atomic_swap_nbi(double* fetch, double* dest, double value, int pe);
SHMEM_API void shmem_ctx_double_atomic_swap_nbi(shmem_ctx_t ctx, double* fetch, double* dest, double value, int pe);
SHMEM_API void shmem_int_atomic_swap_nbi(int* fetch, int* dest, int value, int pe);
SHMEM_API void shmem_ctx_int_atomic_swap_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe);
SHMEM_API void shmem_long_atomic_swap_nbi(long* fetch, long* dest, long value, int pe);
SHMEM_API void shmem_ctx_long_atomic_swap_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long value, int pe);
SHMEM_API void shmem_longlong_atomic_swap_nbi(long long* fetch, long long* dest, long long value, int pe);
SHMEM_API void shmem_ctx_longlong_atomic_swap_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, long long value, int pe);
SHMEM_API void shmem_uint_atomic_swap_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_swap_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_swap_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_swap_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_swap_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_swap_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_swap_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_swap_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_swap_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_swap_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_swap_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_swap_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_size_atomic_swap_nbi(size_t* fetch, size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ctx_size_atomic_swap_nbi(shmem_ctx_t ctx, size_t* fetch, size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ptrdiff_atomic_swap_nbi(ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t value, int pe);
SHMEM_API void shmem_ctx_ptrdiff_atomic_swap_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t value, int pe);
/* atomic_compare_swap_nbi */
SHMEM_API void shmem_int_atomic_compare_swap_nbi(int* fetch, int* dest, int cond, int value, int pe);
SHMEM_API void shmem_ctx_int_atomic_compare_swap_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int cond, int value, int pe);
SHMEM_API void shmem_long_atomic_compare_swap_nbi(long* fetch, long* dest, long cond, long value, int pe);
SHMEM_API void shmem_ctx_long_atomic_compare_swap_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long cond, long value, int pe);
SHMEM_API void shmem_longlong_atomic_compare_swap_nbi(long long* fetch, long long* dest, long long cond, long long value, int pe);
SHMEM_API void shmem_ctx_longlong_atomic_compare_swap_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, long long cond, long long value, int pe);
SHMEM_API void shmem_uint_atomic_compare_swap_nbi(unsigned int* fetch, unsigned int* dest, unsigned int cond, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int cond, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_compare_swap_nbi(unsigned long* fetch, unsigned long* dest, unsigned long cond, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long cond, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_compare_swap_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_compare_swap_nbi(int32_t* fetch, int32_t* dest, int32_t cond, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_compare_swap_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t cond, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_compare_swap_nbi(int64_t* fetch, int64_t* dest, int64_t cond, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_compare_swap_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t cond, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_compare_swap_nbi(uint32_t* fetch, uint32_t* dest, uint32_t cond, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t cond, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_compare_swap_nbi(uint64_t* fetch, uint64_t* dest, uint64_t cond, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t cond, uint64_t value, int pe);
SHMEM_API void shmem_size_atomic_compare_swap_nbi(size_t* fetch, size_t* dest, size_t cond, size_t value, int pe);
SHMEM_API void shmem_ctx_size_atomic_compare_swap_nbi(shmem_ctx_t ctx, size_t* fetch, size_t* dest, size_t cond, size_t value, int pe);
SHMEM_API void shmem_ptrdiff_atomic_compare_swap_nbi(ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe);
SHMEM_API void shmem_ctx_ptrdiff_atomic_compare_swap_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe);
/* atomic_fetch_inc_nbi */
SHMEM_API void shmem_int_atomic_fetch_inc_nbi(int* fetch, int* dest, int pe);
SHMEM_API void shmem_ctx_int_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int pe);
SHMEM_API void shmem_long_atomic_fetch_inc_nbi(long* fetch, long* dest, int pe);
SHMEM_API void shmem_ctx_long_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long* fetch, long* dest, int pe);
SHMEM_API void shmem_longlong_atomic_fetch_inc_nbi(long long* fetch, long long* dest, int pe);
SHMEM_API void shmem_ctx_longlong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, int pe);
SHMEM_API void shmem_uint_atomic_fetch_inc_nbi(unsigned int* fetch, unsigned int* dest, int pe);
SHMEM_API void shmem_ctx_uint_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, int pe);
SHMEM_API void shmem_ulong_atomic_fetch_inc_nbi(unsigned long* fetch, unsigned long* dest, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, int pe);
SHMEM_API void shmem_ulonglong_atomic_fetch_inc_nbi(unsigned long long* fetch, unsigned long long* dest, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, int pe);
SHMEM_API void shmem_int32_atomic_fetch_inc_nbi(int32_t* fetch, int32_t* dest, int pe);
SHMEM_API void shmem_ctx_int32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int pe);
SHMEM_API void shmem_int64_atomic_fetch_inc_nbi(int64_t* fetch, int64_t* dest, int pe);
SHMEM_API void shmem_ctx_int64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int pe);
SHMEM_API void shmem_uint32_atomic_fetch_inc_nbi(uint32_t* fetch, uint32_t* dest, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, int pe);
SHMEM_API void shmem_uint64_atomic_fetch_inc_nbi(uint64_t* fetch, uint64_t* dest, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, int pe);
SHMEM_API void shmem_size_atomic_fetch_inc_nbi(size_t* fetch, size_t* dest, int pe);
SHMEM_API void shmem_ctx_size_atomic_fetch_inc_nbi(shmem_ctx_t ctx, size_t* fetch, size_t* dest, int pe);
SHMEM_API void shmem_ptrdiff_atomic_fetch_inc_nbi(ptrdiff_t* fetch, ptrdiff_t* dest, int pe);
SHMEM_API void shmem_ctx_ptrdiff_atomic_fetch_inc_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, ptrdiff_t* dest, int pe);
/* atomic_fetch_add_nbi */
SHMEM_API void shmem_int_atomic_fetch_add_nbi(int* fetch, int* dest, int value, int pe);
SHMEM_API void shmem_ctx_int_atomic_fetch_add_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe);
SHMEM_API void shmem_long_atomic_fetch_add_nbi(long* fetch, long* dest, long value, int pe);
SHMEM_API void shmem_ctx_long_atomic_fetch_add_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long value, int pe);
SHMEM_API void shmem_longlong_atomic_fetch_add_nbi(long long* fetch, long long* dest, long long value, int pe);
SHMEM_API void shmem_ctx_longlong_atomic_fetch_add_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, long long value, int pe);
SHMEM_API void shmem_uint_atomic_fetch_add_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_fetch_add_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_fetch_add_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_fetch_add_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_fetch_add_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_fetch_add_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_fetch_add_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_fetch_add_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_fetch_add_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_size_atomic_fetch_add_nbi(size_t* fetch, size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ctx_size_atomic_fetch_add_nbi(shmem_ctx_t ctx, size_t* fetch, size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ptrdiff_atomic_fetch_add_nbi(ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t value, int pe);
SHMEM_API void shmem_ctx_ptrdiff_atomic_fetch_add_nbi(shmem_ctx_t ctx, ptrdiff_t* fetch, ptrdiff_t* dest, ptrdiff_t value, int pe);
/* atomic_fetch_and_nbi */
SHMEM_API void shmem_uint_atomic_fetch_and_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_fetch_and_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_fetch_and_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_fetch_and_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_fetch_and_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_fetch_and_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_fetch_and_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_fetch_and_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_fetch_and_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
/* atomic_fetch_or_nbi */
SHMEM_API void shmem_uint_atomic_fetch_or_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_fetch_or_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_fetch_or_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_fetch_or_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_fetch_or_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_fetch_or_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_fetch_or_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_fetch_or_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_fetch_or_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
/* atomic_fetch_xor_nbi */
SHMEM_API void shmem_uint_atomic_fetch_xor_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ctx_uint_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_atomic_fetch_xor_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ctx_ulong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_atomic_fetch_xor_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_ctx_ulonglong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_atomic_fetch_xor_nbi(int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_ctx_int32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int32_t* fetch, int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_atomic_fetch_xor_nbi(int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_ctx_int64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int64_t* fetch, int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_atomic_fetch_xor_nbi(uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_ctx_uint32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint32_t* fetch, uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_atomic_fetch_xor_nbi(uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_ctx_uint64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint64_t* fetch, uint64_t* dest, uint64_t value, int pe);
/* wait_until */
SHMEM_API void shmem_short_wait_until(short* ivar, int cmp, short cmp_value);
SHMEM_API void shmem_int_wait_until(int* ivar, int cmp, int cmp_value);
SHMEM_API void shmem_long_wait_until(long* ivar, int cmp, long cmp_value);
SHMEM_API void shmem_longlong_wait_until(long long* ivar, int cmp, long long cmp_value);
SHMEM_API void shmem_ushort_wait_until(unsigned short* ivar, int cmp, unsigned short cmp_value);
SHMEM_API void shmem_uint_wait_until(unsigned int* ivar, int cmp, unsigned int cmp_value);
SHMEM_API void shmem_ulong_wait_until(unsigned long* ivar, int cmp, unsigned long cmp_value);
SHMEM_API void shmem_ulonglong_wait_until(unsigned long long* ivar, int cmp, unsigned long long cmp_value);
SHMEM_API void shmem_int32_wait_until(int32_t* ivar, int cmp, int32_t cmp_value);
SHMEM_API void shmem_int64_wait_until(int64_t* ivar, int cmp, int64_t cmp_value);
SHMEM_API void shmem_uint32_wait_until(uint32_t* ivar, int cmp, uint32_t cmp_value);
SHMEM_API void shmem_uint64_wait_until(uint64_t* ivar, int cmp, uint64_t cmp_value);
SHMEM_API void shmem_size_wait_until(size_t* ivar, int cmp, size_t cmp_value);
SHMEM_API void shmem_ptrdiff_wait_until(ptrdiff_t* ivar, int cmp, ptrdiff_t cmp_value);
/* wait_until_all */
SHMEM_API void shmem_short_wait_until_all(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value);
SHMEM_API void shmem_int_wait_until_all(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value);
SHMEM_API void shmem_long_wait_until_all(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value);
SHMEM_API void shmem_longlong_wait_until_all(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value);
SHMEM_API void shmem_ushort_wait_until_all(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value);
SHMEM_API void shmem_uint_wait_until_all(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value);
SHMEM_API void shmem_ulong_wait_until_all(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value);
SHMEM_API void shmem_ulonglong_wait_until_all(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value);
SHMEM_API void shmem_int32_wait_until_all(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t cmp_value);
SHMEM_API void shmem_int64_wait_until_all(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t cmp_value);
SHMEM_API void shmem_uint32_wait_until_all(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t cmp_value);
SHMEM_API void shmem_uint64_wait_until_all(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t cmp_value);
SHMEM_API void shmem_size_wait_until_all(size_t* ivars, size_t nelems, const int* status, int cmp, size_t cmp_value);
SHMEM_API void shmem_ptrdiff_wait_until_all(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t cmp_value);
/* wait_until_any */
SHMEM_API size_t shmem_short_wait_until_any(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value);
SHMEM_API size_t shmem_int_wait_until_any(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value);
SHMEM_API size_t shmem_long_wait_until_any(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value);
SHMEM_API size_t shmem_longlong_wait_until_any(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value);
SHMEM_API size_t shmem_ushort_wait_until_any(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value);
SHMEM_API size_t shmem_uint_wait_until_any(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value);
SHMEM_API size_t shmem_ulong_wait_until_any(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value);
SHMEM_API size_t shmem_ulonglong_wait_until_any(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value);
SHMEM_API size_t shmem_int32_wait_until_any(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t cmp_value);
SHMEM_API size_t shmem_int64_wait_until_any(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t cmp_value);
SHMEM_API size_t shmem_uint32_wait_until_any(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t cmp_value);
SHMEM_API size_t shmem_uint64_wait_until_any(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t cmp_value);
SHMEM_API size_t shmem_size_wait_until_any(size_t* ivars, size_t nelems, const int* status, int cmp, size_t cmp_value);
SHMEM_API size_t shmem_ptrdiff_wait_until_any(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t cmp_value);
/* wait_until_some */
SHMEM_API size_t shmem_short_wait_until_some(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short cmp_value);
SHMEM_API size_t shmem_int_wait_until_some(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int cmp_value);
SHMEM_API size_t shmem_long_wait_until_some(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long cmp_value);
SHMEM_API size_t shmem_longlong_wait_until_some(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long cmp_value);
SHMEM_API size_t shmem_ushort_wait_until_some(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short cmp_value);
SHMEM_API size_t shmem_uint_wait_until_some(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int cmp_value);
SHMEM_API size_t shmem_ulong_wait_until_some(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long cmp_value);
SHMEM_API size_t shmem_ulonglong_wait_until_some(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long cmp_value);
SHMEM_API size_t shmem_int32_wait_until_some(int32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int32_t cmp_value);
SHMEM_API size_t shmem_int64_wait_until_some(int64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int64_t cmp_value);
SHMEM_API size_t shmem_uint32_wait_until_some(uint32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint32_t cmp_value);
SHMEM_API size_t shmem_uint64_wait_until_some(uint64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint64_t cmp_value);
SHMEM_API size_t shmem_size_wait_until_some(size_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, size_t cmp_value);
SHMEM_API size_t shmem_ptrdiff_wait_until_some(ptrdiff_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, ptrdiff_t cmp_value);
/* wait_until_all_vector */
SHMEM_API void shmem_short_wait_until_all_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values);
SHMEM_API void shmem_int_wait_until_all_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values);
SHMEM_API void shmem_long_wait_until_all_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values);
SHMEM_API void shmem_longlong_wait_until_all_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values);
SHMEM_API void shmem_ushort_wait_until_all_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values);
SHMEM_API void shmem_uint_wait_until_all_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values);
SHMEM_API void shmem_ulong_wait_until_all_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values);
SHMEM_API void shmem_ulonglong_wait_until_all_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values);
SHMEM_API void shmem_int32_wait_until_all_vector(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t* cmp_values);
SHMEM_API void shmem_int64_wait_until_all_vector(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t* cmp_values);
SHMEM_API void shmem_uint32_wait_until_all_vector(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t* cmp_values);
SHMEM_API void shmem_uint64_wait_until_all_vector(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t* cmp_values);
SHMEM_API void shmem_size_wait_until_all_vector(size_t* ivars, size_t nelems, const int* status, int cmp, size_t* cmp_values);
SHMEM_API void shmem_ptrdiff_wait_until_all_vector(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t* cmp_values);
/* wait_until_any_vector */
SHMEM_API size_t shmem_short_wait_until_any_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values);
SHMEM_API size_t shmem_int_wait_until_any_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values);
SHMEM_API size_t shmem_long_wait_until_any_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values);
SHMEM_API size_t shmem_longlong_wait_until_any_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values);
SHMEM_API size_t shmem_ushort_wait_until_any_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values);
SHMEM_API size_t shmem_uint_wait_until_any_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values);
SHMEM_API size_t shmem_ulong_wait_until_any_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values);
SHMEM_API size_t shmem_ulonglong_wait_until_any_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values);
SHMEM_API size_t shmem_int32_wait_until_any_vector(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t* cmp_values);
SHMEM_API size_t shmem_int64_wait_until_any_vector(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t* cmp_values);
SHMEM_API size_t shmem_uint32_wait_until_any_vector(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t* cmp_values);
SHMEM_API size_t shmem_uint64_wait_until_any_vector(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t* cmp_values);
SHMEM_API size_t shmem_size_wait_until_any_vector(size_t* ivars, size_t nelems, const int* status, int cmp, size_t* cmp_values);
SHMEM_API size_t shmem_ptrdiff_wait_until_any_vector(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t* cmp_values);
/* wait_until_some_vector */
SHMEM_API size_t shmem_short_wait_until_some_vector(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short* cmp_values);
SHMEM_API size_t shmem_int_wait_until_some_vector(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int* cmp_values);
SHMEM_API size_t shmem_long_wait_until_some_vector(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long* cmp_values);
SHMEM_API size_t shmem_longlong_wait_until_some_vector(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long* cmp_values);
SHMEM_API size_t shmem_ushort_wait_until_some_vector(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short* cmp_values);
SHMEM_API size_t shmem_uint_wait_until_some_vector(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int* cmp_values);
SHMEM_API size_t shmem_ulong_wait_until_some_vector(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long* cmp_values);
SHMEM_API size_t shmem_ulonglong_wait_until_some_vector(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long* cmp_values);
SHMEM_API size_t shmem_int32_wait_until_some_vector(int32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int32_t* cmp_values);
SHMEM_API size_t shmem_int64_wait_until_some_vector(int64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int64_t* cmp_values);
SHMEM_API size_t shmem_uint32_wait_until_some_vector(uint32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint32_t* cmp_values);
SHMEM_API size_t shmem_uint64_wait_until_some_vector(uint64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint64_t* cmp_values);
SHMEM_API size_t shmem_size_wait_until_some_vector(size_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, size_t* cmp_values);
SHMEM_API size_t shmem_ptrdiff_wait_until_some_vector(ptrdiff_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, ptrdiff_t* cmp_values);
/* test */
SHMEM_API int shmem_short_test(short* ivar, int cmp, short cmp_value);
SHMEM_API int shmem_int_test(int* ivar, int cmp, int cmp_value);
SHMEM_API int shmem_long_test(long* ivar, int cmp, long cmp_value);
SHMEM_API int shmem_longlong_test(long long* ivar, int cmp, long long cmp_value);
SHMEM_API int shmem_ushort_test(unsigned short* ivar, int cmp, unsigned short cmp_value);
SHMEM_API int shmem_uint_test(unsigned int* ivar, int cmp, unsigned int cmp_value);
SHMEM_API int shmem_ulong_test(unsigned long* ivar, int cmp, unsigned long cmp_value);
SHMEM_API int shmem_ulonglong_test(unsigned long long* ivar, int cmp, unsigned long long cmp_value);
SHMEM_API int shmem_int32_test(int32_t* ivar, int cmp, int32_t cmp_value);
SHMEM_API int shmem_int64_test(int64_t* ivar, int cmp, int64_t cmp_value);
SHMEM_API int shmem_uint32_test(uint32_t* ivar, int cmp, uint32_t cmp_value);
SHMEM_API int shmem_uint64_test(uint64_t* ivar, int cmp, uint64_t cmp_value);
SHMEM_API int shmem_size_test(size_t* ivar, int cmp, size_t cmp_value);
SHMEM_API int shmem_ptrdiff_test(ptrdiff_t* ivar, int cmp, ptrdiff_t cmp_value);
/* test_all */
SHMEM_API int shmem_short_test_all(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value);
SHMEM_API int shmem_int_test_all(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value);
SHMEM_API int shmem_long_test_all(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value);
SHMEM_API int shmem_longlong_test_all(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value);
SHMEM_API int shmem_ushort_test_all(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value);
SHMEM_API int shmem_uint_test_all(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value);
SHMEM_API int shmem_ulong_test_all(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value);
SHMEM_API int shmem_ulonglong_test_all(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value);
SHMEM_API int shmem_int32_test_all(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t cmp_value);
SHMEM_API int shmem_int64_test_all(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t cmp_value);
SHMEM_API int shmem_uint32_test_all(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t cmp_value);
SHMEM_API int shmem_uint64_test_all(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t cmp_value);
SHMEM_API int shmem_size_test_all(size_t* ivars, size_t nelems, const int* status, int cmp, size_t cmp_value);
SHMEM_API int shmem_ptrdiff_test_all(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t cmp_value);
/* test_any */
SHMEM_API size_t shmem_short_test_any(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value);
SHMEM_API size_t shmem_int_test_any(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value);
SHMEM_API size_t shmem_long_test_any(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value);
SHMEM_API size_t shmem_longlong_test_any(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value);
SHMEM_API size_t shmem_ushort_test_any(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value);
SHMEM_API size_t shmem_uint_test_any(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value);
SHMEM_API size_t shmem_ulong_test_any(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value);
SHMEM_API size_t shmem_ulonglong_test_any(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value);
SHMEM_API size_t shmem_int32_test_any(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t cmp_value);
SHMEM_API size_t shmem_int64_test_any(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t cmp_value);
SHMEM_API size_t shmem_uint32_test_any(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t cmp_value);
SHMEM_API size_t shmem_uint64_test_any(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t cmp_value);
SHMEM_API size_t shmem_size_test_any(size_t* ivars, size_t nelems, const int* status, int cmp, size_t cmp_value);
SHMEM_API size_t shmem_ptrdiff_test_any(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t cmp_value);
/* test_some */
SHMEM_API size_t shmem_short_test_some(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short cmp_value);
SHMEM_API size_t shmem_int_test_some(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int cmp_value);
SHMEM_API size_t shmem_long_test_some(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long cmp_value);
SHMEM_API size_t shmem_longlong_test_some(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long cmp_value);
SHMEM_API size_t shmem_ushort_test_some(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short cmp_value);
SHMEM_API size_t shmem_uint_test_some(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int cmp_value);
SHMEM_API size_t shmem_ulong_test_some(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long cmp_value);
SHMEM_API size_t shmem_ulonglong_test_some(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long cmp_value);
SHMEM_API size_t shmem_int32_test_some(int32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int32_t cmp_value);
SHMEM_API size_t shmem_int64_test_some(int64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int64_t cmp_value);
SHMEM_API size_t shmem_uint32_test_some(uint32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint32_t cmp_value);
SHMEM_API size_t shmem_uint64_test_some(uint64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint64_t cmp_value);
SHMEM_API size_t shmem_size_test_some(size_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, size_t cmp_value);
SHMEM_API size_t shmem_ptrdiff_test_some(ptrdiff_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, ptrdiff_t cmp_value);
/* test_all_vector */
SHMEM_API int shmem_short_test_all_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values);
SHMEM_API int shmem_int_test_all_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values);
SHMEM_API int shmem_long_test_all_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values);
SHMEM_API int shmem_longlong_test_all_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values);
SHMEM_API int shmem_ushort_test_all_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values);
SHMEM_API int shmem_uint_test_all_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values);
SHMEM_API int shmem_ulong_test_all_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values);
SHMEM_API int shmem_ulonglong_test_all_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values);
SHMEM_API int shmem_int32_test_all_vector(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t* cmp_values);
SHMEM_API int shmem_int64_test_all_vector(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t* cmp_values);
SHMEM_API int shmem_uint32_test_all_vector(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t* cmp_values);
SHMEM_API int shmem_uint64_test_all_vector(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t* cmp_values);
SHMEM_API int shmem_size_test_all_vector(size_t* ivars, size_t nelems, const int* status, int cmp, size_t* cmp_values);
SHMEM_API int shmem_ptrdiff_test_all_vector(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t* cmp_values);
/* test_any_vector */
SHMEM_API size_t shmem_short_test_any_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values);
SHMEM_API size_t shmem_int_test_any_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values);
SHMEM_API size_t shmem_long_test_any_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values);
SHMEM_API size_t shmem_longlong_test_any_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values);
SHMEM_API size_t shmem_ushort_test_any_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values);
SHMEM_API size_t shmem_uint_test_any_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values);
SHMEM_API size_t shmem_ulong_test_any_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values);
SHMEM_API size_t shmem_ulonglong_test_any_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values);
SHMEM_API size_t shmem_int32_test_any_vector(int32_t* ivars, size_t nelems, const int* status, int cmp, int32_t* cmp_values);
SHMEM_API size_t shmem_int64_test_any_vector(int64_t* ivars, size_t nelems, const int* status, int cmp, int64_t* cmp_values);
SHMEM_API size_t shmem_uint32_test_any_vector(uint32_t* ivars, size_t nelems, const int* status, int cmp, uint32_t* cmp_values);
SHMEM_API size_t shmem_uint64_test_any_vector(uint64_t* ivars, size_t nelems, const int* status, int cmp, uint64_t* cmp_values);
SHMEM_API size_t shmem_size_test_any_vector(size_t* ivars, size_t nelems, const int* status, int cmp, size_t* cmp_values);
SHMEM_API size_t shmem_ptrdiff_test_any_vector(ptrdiff_t* ivars, size_t nelems, const int* status, int cmp, ptrdiff_t* cmp_values);
/* test_some_vector */
SHMEM_API size_t shmem_short_test_some_vector(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short* cmp_values);
SHMEM_API size_t shmem_int_test_some_vector(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int* cmp_values);
SHMEM_API size_t shmem_long_test_some_vector(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long* cmp_values);
SHMEM_API size_t shmem_longlong_test_some_vector(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long* cmp_values);
SHMEM_API size_t shmem_ushort_test_some_vector(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short* cmp_values);
SHMEM_API size_t shmem_uint_test_some_vector(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int* cmp_values);
SHMEM_API size_t shmem_ulong_test_some_vector(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long* cmp_values);
SHMEM_API size_t shmem_ulonglong_test_some_vector(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long* cmp_values);
SHMEM_API size_t shmem_int32_test_some_vector(int32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int32_t* cmp_values);
SHMEM_API size_t shmem_int64_test_some_vector(int64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int64_t* cmp_values);
SHMEM_API size_t shmem_uint32_test_some_vector(uint32_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint32_t* cmp_values);
SHMEM_API size_t shmem_uint64_test_some_vector(uint64_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, uint64_t* cmp_values);
SHMEM_API size_t shmem_size_test_some_vector(size_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, size_t* cmp_values);
SHMEM_API size_t shmem_ptrdiff_test_some_vector(ptrdiff_t* ivars, size_t nelems, size_t* indices, const int* status, int cmp, ptrdiff_t* cmp_values);
/* broadcast */
SHMEM_API int shmem_float_broadcast(shmem_team_t team, float* dest, const float* source, size_t nelems, int PE_root);
SHMEM_API int shmem_double_broadcast(shmem_team_t team, double* dest, const double* source, size_t nelems, int PE_root);
SHMEM_API int shmem_longdouble_broadcast(shmem_team_t team, long double* dest, const long double* source, size_t nelems, int PE_root);
SHMEM_API int shmem_char_broadcast(shmem_team_t team, char* dest, const char* source, size_t nelems, int PE_root);
SHMEM_API int shmem_schar_broadcast(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems, int PE_root);
SHMEM_API int shmem_short_broadcast(shmem_team_t team, short* dest, const short* source, size_t nelems, int PE_root);
SHMEM_API int shmem_int_broadcast(shmem_team_t team, int* dest, const int* source, size_t nelems, int PE_root);
SHMEM_API int shmem_long_broadcast(shmem_team_t team, long* dest, const long* source, size_t nelems, int PE_root);
SHMEM_API int shmem_longlong_broadcast(shmem_team_t team, long long* dest, const long long* source, size_t nelems, int PE_root);
SHMEM_API int shmem_uchar_broadcast(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems, int PE_root);
SHMEM_API int shmem_ushort_broadcast(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems, int PE_root);
SHMEM_API int shmem_uint_broadcast(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems, int PE_root);
SHMEM_API int shmem_ulong_broadcast(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems, int PE_root);
SHMEM_API int shmem_ulonglong_broadcast(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems, int PE_root);
SHMEM_API int shmem_int8_broadcast(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nelems, int PE_root);
SHMEM_API int shmem_int16_broadcast(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nelems, int PE_root);
SHMEM_API int shmem_int32_broadcast(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nelems, int PE_root);
SHMEM_API int shmem_int64_broadcast(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nelems, int PE_root);
SHMEM_API int shmem_uint8_broadcast(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nelems, int PE_root);
SHMEM_API int shmem_uint16_broadcast(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nelems, int PE_root);
SHMEM_API int shmem_uint32_broadcast(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nelems, int PE_root);
SHMEM_API int shmem_uint64_broadcast(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nelems, int PE_root);
SHMEM_API int shmem_size_broadcast(shmem_team_t team, size_t* dest, const size_t* source, size_t nelems, int PE_root);
SHMEM_API int shmem_ptrdiff_broadcast(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems, int PE_root);
/* collect */
SHMEM_API int shmem_float_collect(shmem_team_t team, float* dest, const float* source, size_t nelems);
SHMEM_API int shmem_double_collect(shmem_team_t team, double* dest, const double* source, size_t nelems);
SHMEM_API int shmem_longdouble_collect(shmem_team_t team, long double* dest, const long double* source, size_t nelems);
SHMEM_API int shmem_char_collect(shmem_team_t team, char* dest, const char* source, size_t nelems);
SHMEM_API int shmem_schar_collect(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems);
SHMEM_API int shmem_short_collect(shmem_team_t team, short* dest, const short* source, size_t nelems);
SHMEM_API int shmem_int_collect(shmem_team_t team, int* dest, const int* source, size_t nelems);
SHMEM_API int shmem_long_collect(shmem_team_t team, long* dest, const long* source, size_t nelems);
SHMEM_API int shmem_longlong_collect(shmem_team_t team, long long* dest, const long long* source, size_t nelems);
SHMEM_API int shmem_uchar_collect(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems);
SHMEM_API int shmem_ushort_collect(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems);
SHMEM_API int shmem_uint_collect(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems);
SHMEM_API int shmem_ulong_collect(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems);
SHMEM_API int shmem_ulonglong_collect(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems);
SHMEM_API int shmem_int8_collect(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nelems);
SHMEM_API int shmem_int16_collect(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nelems);
SHMEM_API int shmem_int32_collect(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nelems);
SHMEM_API int shmem_int64_collect(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nelems);
SHMEM_API int shmem_uint8_collect(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nelems);
SHMEM_API int shmem_uint16_collect(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nelems);
SHMEM_API int shmem_uint32_collect(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nelems);
SHMEM_API int shmem_uint64_collect(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nelems);
SHMEM_API int shmem_size_collect(shmem_team_t team, size_t* dest, const size_t* source, size_t nelems);
SHMEM_API int shmem_ptrdiff_collect(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems);
/* fcollect */
SHMEM_API int shmem_float_fcollect(shmem_team_t team, float* dest, const float* source, size_t nelems);
SHMEM_API int shmem_double_fcollect(shmem_team_t team, double* dest, const double* source, size_t nelems);
SHMEM_API int shmem_longdouble_fcollect(shmem_team_t team, long double* dest, const long double* source, size_t nelems);
SHMEM_API int shmem_char_fcollect(shmem_team_t team, char* dest, const char* source, size_t nelems);
SHMEM_API int shmem_schar_fcollect(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems);
SHMEM_API int shmem_short_fcollect(shmem_team_t team, short* dest, const short* source, size_t nelems);
SHMEM_API int shmem_int_fcollect(shmem_team_t team, int* dest, const int* source, size_t nelems);
SHMEM_API int shmem_long_fcollect(shmem_team_t team, long* dest, const long* source, size_t nelems);
SHMEM_API int shmem_longlong_fcollect(shmem_team_t team, long long* dest, const long long* source, size_t nelems);
SHMEM_API int shmem_uchar_fcollect(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems);
SHMEM_API int shmem_ushort_fcollect(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems);
SHMEM_API int shmem_uint_fcollect(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems);
SHMEM_API int shmem_ulong_fcollect(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems);
SHMEM_API int shmem_ulonglong_fcollect(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems);
SHMEM_API int shmem_int8_fcollect(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nelems);
SHMEM_API int shmem_int16_fcollect(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nelems);
SHMEM_API int shmem_int32_fcollect(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nelems);
SHMEM_API int shmem_int64_fcollect(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nelems);
SHMEM_API int shmem_uint8_fcollect(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nelems);
SHMEM_API int shmem_uint16_fcollect(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nelems);
SHMEM_API int shmem_uint32_fcollect(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nelems);
SHMEM_API int shmem_uint64_fcollect(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nelems);
SHMEM_API int shmem_size_fcollect(shmem_team_t team, size_t* dest, const size_t* source, size_t nelems);
SHMEM_API int shmem_ptrdiff_fcollect(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems);
/* alltoall */
SHMEM_API int shmem_float_alltoall(shmem_team_t team, float* dest, const float* source, size_t nelems);
SHMEM_API int shmem_double_alltoall(shmem_team_t team, double* dest, const double* source, size_t nelems);
SHMEM_API int shmem_longdouble_alltoall(shmem_team_t team, long double* dest, const long double* source, size_t nelems);
SHMEM_API int shmem_char_alltoall(shmem_team_t team, char* dest, const char* source, size_t nelems);
SHMEM_API int shmem_schar_alltoall(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems);
SHMEM_API int shmem_short_alltoall(shmem_team_t team, short* dest, const short* source, size_t nelems);
SHMEM_API int shmem_int_alltoall(shmem_team_t team, int* dest, const int* source, size_t nelems);
SHMEM_API int shmem_long_alltoall(shmem_team_t team, long* dest, const long* source, size_t nelems);
SHMEM_API int shmem_longlong_alltoall(shmem_team_t team, long long* dest, const long long* source, size_t nelems);
SHMEM_API int shmem_uchar_alltoall(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems);
SHMEM_API int shmem_ushort_alltoall(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems);
SHMEM_API int shmem_uint_alltoall(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems);
SHMEM_API int shmem_ulong_alltoall(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems);
SHMEM_API int shmem_ulonglong_alltoall(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems);
SHMEM_API int shmem_int8_alltoall(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nelems);
SHMEM_API int shmem_int16_alltoall(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nelems);
SHMEM_API int shmem_int32_alltoall(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nelems);
SHMEM_API int shmem_int64_alltoall(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nelems);
SHMEM_API int shmem_uint8_alltoall(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nelems);
SHMEM_API int shmem_uint16_alltoall(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nelems);
SHMEM_API int shmem_uint32_alltoall(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nelems);
SHMEM_API int shmem_uint64_alltoall(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nelems);
SHMEM_API int shmem_size_alltoall(shmem_team_t team, size_t* dest, const size_t* source, size_t nelems);
SHMEM_API int shmem_ptrdiff_alltoall(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nelems);
/* alltoalls */
SHMEM_API int shmem_float_alltoalls(shmem_team_t team, float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_double_alltoalls(shmem_team_t team, double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_longdouble_alltoalls(shmem_team_t team, long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_char_alltoalls(shmem_team_t team, char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_schar_alltoalls(shmem_team_t team, signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_short_alltoalls(shmem_team_t team, short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_int_alltoalls(shmem_team_t team, int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_long_alltoalls(shmem_team_t team, long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_longlong_alltoalls(shmem_team_t team, long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_uchar_alltoalls(shmem_team_t team, unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_ushort_alltoalls(shmem_team_t team, unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_uint_alltoalls(shmem_team_t team, unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_ulong_alltoalls(shmem_team_t team, unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_ulonglong_alltoalls(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_int8_alltoalls(shmem_team_t team, int8_t* dest, const int8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_int16_alltoalls(shmem_team_t team, int16_t* dest, const int16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_int32_alltoalls(shmem_team_t team, int32_t* dest, const int32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_int64_alltoalls(shmem_team_t team, int64_t* dest, const int64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_uint8_alltoalls(shmem_team_t team, uint8_t* dest, const uint8_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_uint16_alltoalls(shmem_team_t team, uint16_t* dest, const uint16_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_uint32_alltoalls(shmem_team_t team, uint32_t* dest, const uint32_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_uint64_alltoalls(shmem_team_t team, uint64_t* dest, const uint64_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_size_alltoalls(shmem_team_t team, size_t* dest, const size_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_API int shmem_ptrdiff_alltoalls(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
/* and_reduce */
SHMEM_API int shmem_uchar_and_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce);
SHMEM_API int shmem_ushort_and_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce);
SHMEM_API int shmem_uint_and_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce);
SHMEM_API int shmem_ulong_and_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce);
SHMEM_API int shmem_ulonglong_and_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce);
SHMEM_API int shmem_int8_and_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce);
SHMEM_API int shmem_int16_and_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce);
SHMEM_API int shmem_int32_and_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce);
SHMEM_API int shmem_int64_and_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce);
SHMEM_API int shmem_uint8_and_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce);
SHMEM_API int shmem_uint16_and_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce);
SHMEM_API int shmem_uint32_and_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce);
SHMEM_API int shmem_uint64_and_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce);
SHMEM_API int shmem_size_and_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce);
/* or_reduce */
SHMEM_API int shmem_uchar_or_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce);
SHMEM_API int shmem_ushort_or_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce);
SHMEM_API int shmem_uint_or_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce);
SHMEM_API int shmem_ulong_or_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce);
SHMEM_API int shmem_ulonglong_or_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce);
SHMEM_API int shmem_int8_or_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce);
SHMEM_API int shmem_int16_or_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce);
SHMEM_API int shmem_int32_or_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce);
SHMEM_API int shmem_int64_or_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce);
SHMEM_API int shmem_uint8_or_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce);
SHMEM_API int shmem_uint16_or_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce);
SHMEM_API int shmem_uint32_or_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce);
SHMEM_API int shmem_uint64_or_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce);
SHMEM_API int shmem_size_or_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce);
/* xor_reduce */
SHMEM_API int shmem_uchar_xor_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce);
SHMEM_API int shmem_ushort_xor_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce);
SHMEM_API int shmem_uint_xor_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce);
SHMEM_API int shmem_ulong_xor_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce);
SHMEM_API int shmem_ulonglong_xor_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce);
SHMEM_API int shmem_int8_xor_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce);
SHMEM_API int shmem_int16_xor_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce);
SHMEM_API int shmem_int32_xor_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce);
SHMEM_API int shmem_int64_xor_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce);
SHMEM_API int shmem_uint8_xor_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce);
SHMEM_API int shmem_uint16_xor_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce);
SHMEM_API int shmem_uint32_xor_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce);
SHMEM_API int shmem_uint64_xor_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce);
SHMEM_API int shmem_size_xor_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce);
/* max_reduce */
SHMEM_API int shmem_float_max_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce);
SHMEM_API int shmem_double_max_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce);
SHMEM_API int shmem_longdouble_max_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce);
SHMEM_API int shmem_char_max_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce);
SHMEM_API int shmem_schar_max_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce);
SHMEM_API int shmem_short_max_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce);
SHMEM_API int shmem_int_max_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce);
SHMEM_API int shmem_long_max_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce);
SHMEM_API int shmem_longlong_max_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce);
SHMEM_API int shmem_uchar_max_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce);
SHMEM_API int shmem_ushort_max_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce);
SHMEM_API int shmem_uint_max_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce);
SHMEM_API int shmem_ulong_max_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce);
SHMEM_API int shmem_ulonglong_max_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce);
SHMEM_API int shmem_int8_max_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce);
SHMEM_API int shmem_int16_max_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce);
SHMEM_API int shmem_int32_max_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce);
SHMEM_API int shmem_int64_max_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce);
SHMEM_API int shmem_uint8_max_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce);
SHMEM_API int shmem_uint16_max_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce);
SHMEM_API int shmem_uint32_max_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce);
SHMEM_API int shmem_uint64_max_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce);
SHMEM_API int shmem_size_max_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce);
SHMEM_API int shmem_ptrdiff_max_reduce(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nreduce);
/* min_reduce */
SHMEM_API int shmem_float_min_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce);
SHMEM_API int shmem_double_min_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce);
SHMEM_API int shmem_longdouble_min_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce);
SHMEM_API int shmem_char_min_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce);
SHMEM_API int shmem_schar_min_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce);
SHMEM_API int shmem_short_min_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce);
SHMEM_API int shmem_int_min_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce);
SHMEM_API int shmem_long_min_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce);
SHMEM_API int shmem_longlong_min_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce);
SHMEM_API int shmem_uchar_min_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce);
SHMEM_API int shmem_ushort_min_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce);
SHMEM_API int shmem_uint_min_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce);
SHMEM_API int shmem_ulong_min_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce);
SHMEM_API int shmem_ulonglong_min_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce);
SHMEM_API int shmem_int8_min_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce);
SHMEM_API int shmem_int16_min_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce);
SHMEM_API int shmem_int32_min_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce);
SHMEM_API int shmem_int64_min_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce);
SHMEM_API int shmem_uint8_min_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce);
SHMEM_API int shmem_uint16_min_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce);
SHMEM_API int shmem_uint32_min_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce);
SHMEM_API int shmem_uint64_min_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce);
SHMEM_API int shmem_size_min_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce);
SHMEM_API int shmem_ptrdiff_min_reduce(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nreduce);
/* sum_reduce */
SHMEM_API int shmem_float_sum_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce);
SHMEM_API int shmem_double_sum_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce);
SHMEM_API int shmem_longdouble_sum_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce);
SHMEM_API int shmem_char_sum_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce);
SHMEM_API int shmem_schar_sum_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce);
SHMEM_API int shmem_short_sum_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce);
SHMEM_API int shmem_int_sum_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce);
SHMEM_API int shmem_long_sum_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce);
SHMEM_API int shmem_longlong_sum_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce);
SHMEM_API int shmem_uchar_sum_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce);
SHMEM_API int shmem_ushort_sum_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce);
SHMEM_API int shmem_uint_sum_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce);
SHMEM_API int shmem_ulong_sum_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce);
SHMEM_API int shmem_ulonglong_sum_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce);
SHMEM_API int shmem_int8_sum_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce);
SHMEM_API int shmem_int16_sum_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce);
SHMEM_API int shmem_int32_sum_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce);
SHMEM_API int shmem_int64_sum_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce);
SHMEM_API int shmem_uint8_sum_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce);
SHMEM_API int shmem_uint16_sum_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce);
SHMEM_API int shmem_uint32_sum_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce);
SHMEM_API int shmem_uint64_sum_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce);
SHMEM_API int shmem_size_sum_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce);
SHMEM_API int shmem_ptrdiff_sum_reduce(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nreduce);
SHMEM_API int shmem_complexd_sum_reduce(shmem_team_t team, double _Complex* dest, const double _Complex* source, size_t nreduce);
SHMEM_API int shmem_complexf_sum_reduce(shmem_team_t team, float _Complex* dest, const float _Complex* source, size_t nreduce);
/* prod_reduce */
SHMEM_API int shmem_float_prod_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce);
SHMEM_API int shmem_double_prod_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce);
SHMEM_API int shmem_longdouble_prod_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce);
SHMEM_API int shmem_char_prod_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce);
SHMEM_API int shmem_schar_prod_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce);
SHMEM_API int shmem_short_prod_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce);
SHMEM_API int shmem_int_prod_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce);
SHMEM_API int shmem_long_prod_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce);
SHMEM_API int shmem_longlong_prod_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce);
SHMEM_API int shmem_uchar_prod_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce);
SHMEM_API int shmem_ushort_prod_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce);
SHMEM_API int shmem_uint_prod_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce);
SHMEM_API int shmem_ulong_prod_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce);
SHMEM_API int shmem_ulonglong_prod_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce);
SHMEM_API int shmem_int8_prod_reduce(shmem_team_t team, int8_t* dest, const int8_t* source, size_t nreduce);
SHMEM_API int shmem_int16_prod_reduce(shmem_team_t team, int16_t* dest, const int16_t* source, size_t nreduce);
SHMEM_API int shmem_int32_prod_reduce(shmem_team_t team, int32_t* dest, const int32_t* source, size_t nreduce);
SHMEM_API int shmem_int64_prod_reduce(shmem_team_t team, int64_t* dest, const int64_t* source, size_t nreduce);
SHMEM_API int shmem_uint8_prod_reduce(shmem_team_t team, uint8_t* dest, const uint8_t* source, size_t nreduce);
SHMEM_API int shmem_uint16_prod_reduce(shmem_team_t team, uint16_t* dest, const uint16_t* source, size_t nreduce);
SHMEM_API int shmem_uint32_prod_reduce(shmem_team_t team, uint32_t* dest, const uint32_t* source, size_t nreduce);
SHMEM_API int shmem_uint64_prod_reduce(shmem_team_t team, uint64_t* dest, const uint64_t* source, size_t nreduce);
SHMEM_API int shmem_size_prod_reduce(shmem_team_t team, size_t* dest, const size_t* source, size_t nreduce);
SHMEM_API int shmem_ptrdiff_prod_reduce(shmem_team_t team, ptrdiff_t* dest, const ptrdiff_t* source, size_t nreduce);
SHMEM_API int shmem_complexd_prod_reduce(shmem_team_t team, double _Complex* dest, const double _Complex* source, size_t nreduce);
SHMEM_API int shmem_complexf_prod_reduce(shmem_team_t team, float _Complex* dest, const float _Complex* source, size_t nreduce);
/* fetch */
SHMEM_API float shmem_float_fetch(const float* source, int pe);
SHMEM_API double shmem_double_fetch(const double* source, int pe);
SHMEM_API int shmem_int_fetch(const int* source, int pe);
SHMEM_API long shmem_long_fetch(const long* source, int pe);
SHMEM_API long long shmem_longlong_fetch(const long long* source, int pe);
SHMEM_API unsigned int shmem_uint_fetch(const unsigned int* source, int pe);
SHMEM_API unsigned long shmem_ulong_fetch(const unsigned long* source, int pe);
SHMEM_API unsigned long long shmem_ulonglong_fetch(const unsigned long long* source, int pe);
SHMEM_API int32_t shmem_int32_fetch(const int32_t* source, int pe);
SHMEM_API int64_t shmem_int64_fetch(const int64_t* source, int pe);
SHMEM_API uint32_t shmem_uint32_fetch(const uint32_t* source, int pe);
SHMEM_API uint64_t shmem_uint64_fetch(const uint64_t* source, int pe);
SHMEM_API size_t shmem_size_fetch(const size_t* source, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_fetch(const ptrdiff_t* source, int pe);
/* set */
SHMEM_API void shmem_float_set(float* dest, float value, int pe);
SHMEM_API void shmem_double_set(double* dest, double value, int pe);
SHMEM_API void shmem_int_set(int* dest, int value, int pe);
SHMEM_API void shmem_long_set(long* dest, long value, int pe);
SHMEM_API void shmem_longlong_set(long long* dest, long long value, int pe);
SHMEM_API void shmem_uint_set(unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_set(unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_set(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_set(int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_set(int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_set(uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_set(uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_size_set(size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ptrdiff_set(ptrdiff_t* dest, ptrdiff_t value, int pe);
/* swap */
SHMEM_API float shmem_float_swap(float* dest, float value, int pe);
SHMEM_API double shmem_double_swap(double* dest, double value, int pe);
SHMEM_API int shmem_int_swap(int* dest, int value, int pe);
SHMEM_API long shmem_long_swap(long* dest, long value, int pe);
SHMEM_API long long shmem_longlong_swap(long long* dest, long long value, int pe);
SHMEM_API unsigned int shmem_uint_swap(unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned long shmem_ulong_swap(unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long long shmem_ulonglong_swap(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API int32_t shmem_int32_swap(int32_t* dest, int32_t value, int pe);
SHMEM_API int64_t shmem_int64_swap(int64_t* dest, int64_t value, int pe);
SHMEM_API uint32_t shmem_uint32_swap(uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint64_t shmem_uint64_swap(uint64_t* dest, uint64_t value, int pe);
SHMEM_API size_t shmem_size_swap(size_t* dest, size_t value, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_swap(ptrdiff_t* dest, ptrdiff_t value, int pe);
/* cswap */
SHMEM_API int shmem_int_cswap(int* dest, int cond, int value, int pe);
SHMEM_API long shmem_long_cswap(long* dest, long cond, long value, int pe);
SHMEM_API long long shmem_longlong_cswap(long long* dest, long long cond, long long value, int pe);
SHMEM_API unsigned int shmem_uint_cswap(unsigned int* dest, unsigned int cond, unsigned int value, int pe);
SHMEM_API unsigned long shmem_ulong_cswap(unsigned long* dest, unsigned long cond, unsigned long value, int pe);
SHMEM_API unsigned long long shmem_ulonglong_cswap(unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe);
SHMEM_API int32_t shmem_int32_cswap(int32_t* dest, int32_t cond, int32_t value, int pe);
SHMEM_API int64_t shmem_int64_cswap(int64_t* dest, int64_t cond, int64_t value, int pe);
SHMEM_API uint32_t shmem_uint32_cswap(uint32_t* dest, uint32_t cond, uint32_t value, int pe);
SHMEM_API uint64_t shmem_uint64_cswap(uint64_t* dest, uint64_t cond, uint64_t value, int pe);
SHMEM_API size_t shmem_size_cswap(size_t* dest, size_t cond, size_t value, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_cswap(ptrdiff_t* dest, ptrdiff_t cond, ptrdiff_t value, int pe);
/* finc */
SHMEM_API int shmem_int_finc(int* dest, int pe);
SHMEM_API long shmem_long_finc(long* dest, int pe);
SHMEM_API long long shmem_longlong_finc(long long* dest, int pe);
SHMEM_API unsigned int shmem_uint_finc(unsigned int* dest, int pe);
SHMEM_API unsigned long shmem_ulong_finc(unsigned long* dest, int pe);
SHMEM_API unsigned long long shmem_ulonglong_finc(unsigned long long* dest, int pe);
SHMEM_API int32_t shmem_int32_finc(int32_t* dest, int pe);
SHMEM_API int64_t shmem_int64_finc(int64_t* dest, int pe);
SHMEM_API uint32_t shmem_uint32_finc(uint32_t* dest, int pe);
SHMEM_API uint64_t shmem_uint64_finc(uint64_t* dest, int pe);
SHMEM_API size_t shmem_size_finc(size_t* dest, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_finc(ptrdiff_t* dest, int pe);
/* inc */
SHMEM_API void shmem_int_inc(int* dest, int pe);
SHMEM_API void shmem_long_inc(long* dest, int pe);
SHMEM_API void shmem_longlong_inc(long long* dest, int pe);
SHMEM_API void shmem_uint_inc(unsigned int* dest, int pe);
SHMEM_API void shmem_ulong_inc(unsigned long* dest, int pe);
SHMEM_API void shmem_ulonglong_inc(unsigned long long* dest, int pe);
SHMEM_API void shmem_int32_inc(int32_t* dest, int pe);
SHMEM_API void shmem_int64_inc(int64_t* dest, int pe);
SHMEM_API void shmem_uint32_inc(uint32_t* dest, int pe);
SHMEM_API void shmem_uint64_inc(uint64_t* dest, int pe);
SHMEM_API void shmem_size_inc(size_t* dest, int pe);
SHMEM_API void shmem_ptrdiff_inc(ptrdiff_t* dest, int pe);
/* fadd */
SHMEM_API int shmem_int_fadd(int* dest, int value, int pe);
SHMEM_API long shmem_long_fadd(long* dest, long value, int pe);
SHMEM_API long long shmem_longlong_fadd(long long* dest, long long value, int pe);
SHMEM_API unsigned int shmem_uint_fadd(unsigned int* dest, unsigned int value, int pe);
SHMEM_API unsigned long shmem_ulong_fadd(unsigned long* dest, unsigned long value, int pe);
SHMEM_API unsigned long long shmem_ulonglong_fadd(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API int32_t shmem_int32_fadd(int32_t* dest, int32_t value, int pe);
SHMEM_API int64_t shmem_int64_fadd(int64_t* dest, int64_t value, int pe);
SHMEM_API uint32_t shmem_uint32_fadd(uint32_t* dest, uint32_t value, int pe);
SHMEM_API uint64_t shmem_uint64_fadd(uint64_t* dest, uint64_t value, int pe);
SHMEM_API size_t shmem_size_fadd(size_t* dest, size_t value, int pe);
SHMEM_API ptrdiff_t shmem_ptrdiff_fadd(ptrdiff_t* dest, ptrdiff_t value, int pe);
/* add */
SHMEM_API void shmem_int_add(int* dest, int value, int pe);
SHMEM_API void shmem_long_add(long* dest, long value, int pe);
SHMEM_API void shmem_longlong_add(long long* dest, long long value, int pe);
SHMEM_API void shmem_uint_add(unsigned int* dest, unsigned int value, int pe);
SHMEM_API void shmem_ulong_add(unsigned long* dest, unsigned long value, int pe);
SHMEM_API void shmem_ulonglong_add(unsigned long long* dest, unsigned long long value, int pe);
SHMEM_API void shmem_int32_add(int32_t* dest, int32_t value, int pe);
SHMEM_API void shmem_int64_add(int64_t* dest, int64_t value, int pe);
SHMEM_API void shmem_uint32_add(uint32_t* dest, uint32_t value, int pe);
SHMEM_API void shmem_uint64_add(uint64_t* dest, uint64_t value, int pe);
SHMEM_API void shmem_size_add(size_t* dest, size_t value, int pe);
SHMEM_API void shmem_ptrdiff_add(ptrdiff_t* dest, ptrdiff_t value, int pe);
/* wait */
SHMEM_API void shmem_short_wait(short* ivar, short cmp_value);
SHMEM_API void shmem_int_wait(int* ivar, int cmp_value);
SHMEM_API void shmem_long_wait(long* ivar, long cmp_value);
SHMEM_API void shmem_longlong_wait(long long* ivar, long long cmp_value);
SHMEM_API void shmem_ushort_wait(unsigned short* ivar, unsigned short cmp_value);
SHMEM_API void shmem_uint_wait(unsigned int* ivar, unsigned int cmp_value);
SHMEM_API void shmem_ulong_wait(unsigned long* ivar, unsigned long cmp_value);
SHMEM_API void shmem_ulonglong_wait(unsigned long long* ivar, unsigned long long cmp_value);
SHMEM_API void shmem_int32_wait(int32_t* ivar, int32_t cmp_value);
SHMEM_API void shmem_int64_wait(int64_t* ivar, int64_t cmp_value);
SHMEM_API void shmem_uint32_wait(uint32_t* ivar, uint32_t cmp_value);
SHMEM_API void shmem_uint64_wait(uint64_t* ivar, uint64_t cmp_value);
SHMEM_API void shmem_size_wait(size_t* ivar, size_t cmp_value);
SHMEM_API void shmem_ptrdiff_wait(ptrdiff_t* ivar, ptrdiff_t cmp_value);
/* and_to_all */
SHMEM_API void shmem_short_and_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync);
SHMEM_API void shmem_int_and_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync);
SHMEM_API void shmem_long_and_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync);
SHMEM_API void shmem_longlong_and_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync);
/* or_to_all */
SHMEM_API void shmem_short_or_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync);
SHMEM_API void shmem_int_or_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync);
SHMEM_API void shmem_long_or_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync);
SHMEM_API void shmem_longlong_or_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync);
/* xor_to_all */
SHMEM_API void shmem_short_xor_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync);
SHMEM_API void shmem_int_xor_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync);
SHMEM_API void shmem_long_xor_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync);
SHMEM_API void shmem_longlong_xor_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync);
/* max_to_all */
SHMEM_API void shmem_float_max_to_all(float* dest, const float* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float* pWrk, long* pSync);
SHMEM_API void shmem_double_max_to_all(double* dest, const double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double* pWrk, long* pSync);
SHMEM_API void shmem_longdouble_max_to_all(long double* dest, const long double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double* pWrk, long* pSync);
SHMEM_API void shmem_short_max_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync);
SHMEM_API void shmem_int_max_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync);
SHMEM_API void shmem_long_max_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync);
SHMEM_API void shmem_longlong_max_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync);
/* min_to_all */
SHMEM_API void shmem_float_min_to_all(float* dest, const float* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float* pWrk, long* pSync);
SHMEM_API void shmem_double_min_to_all(double* dest, const double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double* pWrk, long* pSync);
SHMEM_API void shmem_longdouble_min_to_all(long double* dest, const long double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double* pWrk, long* pSync);
SHMEM_API void shmem_short_min_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync);
SHMEM_API void shmem_int_min_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync);
SHMEM_API void shmem_long_min_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync);
SHMEM_API void shmem_longlong_min_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync);
/* sum_to_all */
SHMEM_API void shmem_float_sum_to_all(float* dest, const float* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float* pWrk, long* pSync);
SHMEM_API void shmem_double_sum_to_all(double* dest, const double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double* pWrk, long* pSync);
SHMEM_API void shmem_longdouble_sum_to_all(long double* dest, const long double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double* pWrk, long* pSync);
SHMEM_API void shmem_short_sum_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync);
SHMEM_API void shmem_int_sum_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync);
SHMEM_API void shmem_long_sum_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync);
SHMEM_API void shmem_longlong_sum_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync);
SHMEM_API void shmem_complexd_sum_to_all(double _Complex* dest, const double _Complex* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double _Complex* pWrk, long* pSync);
SHMEM_API void shmem_complexf_sum_to_all(float _Complex* dest, const float _Complex* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float _Complex* pWrk, long* pSync);
/* prod_to_all */
SHMEM_API void shmem_float_prod_to_all(float* dest, const float* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float* pWrk, long* pSync);
SHMEM_API void shmem_double_prod_to_all(double* dest, const double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double* pWrk, long* pSync);
SHMEM_API void shmem_longdouble_prod_to_all(long double* dest, const long double* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double* pWrk, long* pSync);
SHMEM_API void shmem_short_prod_to_all(short* dest, const short* source, int nreduce, int PE_start, int logPE_stride, int PE_size, short* pWrk, long* pSync);
SHMEM_API void shmem_int_prod_to_all(int* dest, const int* source, int nreduce, int PE_start, int logPE_stride, int PE_size, int* pWrk, long* pSync);
SHMEM_API void shmem_long_prod_to_all(long* dest, const long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long* pWrk, long* pSync);
SHMEM_API void shmem_longlong_prod_to_all(long long* dest, const long long* source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long* pWrk, long* pSync);
SHMEM_API void shmem_complexd_prod_to_all(double _Complex* dest, const double _Complex* source, int nreduce, int PE_start, int logPE_stride, int PE_size, double _Complex* pWrk, long* pSync);
SHMEM_API void shmem_complexf_prod_to_all(float _Complex* dest, const float _Complex* source, int nreduce, int PE_start, int logPE_stride, int PE_size, float _Complex* pWrk, long* pSync);
/* of elements that have a size and no type, and of bytes */
SHMEM_API void shmem_put8(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put8(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_put16(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put16(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_put32(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put32(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_put64(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put64(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_put128(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put128(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_putmem(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_putmem(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get8(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get8(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get16(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get16(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get32(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get32(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get64(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get64(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get128(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get128(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_getmem(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_getmem(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_put8_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put8_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_put16_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put16_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_put32_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put32_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_put64_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put64_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_put128_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_put128_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_putmem_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_putmem_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get8_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get8_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get16_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get16_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get32_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get32_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get64_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get64_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_get128_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_get128_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_getmem_nbi(void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_ctx_getmem_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, int pe);
SHMEM_API void shmem_iput8(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iput8(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_iput16(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iput16(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_iput32(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iput32(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_iput64(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iput64(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_iput128(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iput128(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_iget8(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iget8(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_iget16(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iget16(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_iget32(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iget32(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_iget64(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iget64(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_iget128(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_ctx_iget128(shmem_ctx_t ctx, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_API void shmem_put8_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put8_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_put16_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put16_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_put32_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put32_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_put64_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put64_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_put128_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put128_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_putmem_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_putmem_signal(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_put8_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put8_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_put16_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put16_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_put32_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put32_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_put64_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put64_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_put128_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_put128_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_putmem_signal_nbi(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API void shmem_ctx_putmem_signal_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_API int shmem_broadcastmem(shmem_team_t team, void* dest, const void* source, size_t nelems, int PE_root);
SHMEM_API int shmem_collectmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
SHMEM_API int shmem_fcollectmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
SHMEM_API int shmem_alltoallmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
SHMEM_API int shmem_alltoallsmem(shmem_team_t team, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
#ifdef __cplusplus
}
#endif

#if defined(__cplusplus)

inline void shmem_put(float* dest, const float* source, size_t nelems, int pe) { return shmem_float_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe) { return shmem_ctx_float_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(double* dest, const double* source, size_t nelems, int pe) { return shmem_double_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe) { return shmem_ctx_double_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(long double* dest, const long double* source, size_t nelems, int pe) { return shmem_longdouble_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe) { return shmem_ctx_longdouble_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(char* dest, const char* source, size_t nelems, int pe) { return shmem_char_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe) { return shmem_ctx_char_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(signed char* dest, const signed char* source, size_t nelems, int pe) { return shmem_schar_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe) { return shmem_ctx_schar_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(short* dest, const short* source, size_t nelems, int pe) { return shmem_short_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe) { return shmem_ctx_short_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(int* dest, const int* source, size_t nelems, int pe) { return shmem_int_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe) { return shmem_ctx_int_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(long* dest, const long* source, size_t nelems, int pe) { return shmem_long_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe) { return shmem_ctx_long_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(long long* dest, const long long* source, size_t nelems, int pe) { return shmem_longlong_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe) { return shmem_ctx_longlong_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return shmem_uchar_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return shmem_ctx_uchar_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return shmem_ushort_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return shmem_ctx_ushort_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return shmem_uint_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return shmem_ctx_uint_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return shmem_ulong_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return shmem_ctx_ulong_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return shmem_ulonglong_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return shmem_ctx_ulonglong_put(ctx, dest, source, nelems, pe); }
inline void shmem_get(float* dest, const float* source, size_t nelems, int pe) { return shmem_float_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe) { return shmem_ctx_float_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(double* dest, const double* source, size_t nelems, int pe) { return shmem_double_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe) { return shmem_ctx_double_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(long double* dest, const long double* source, size_t nelems, int pe) { return shmem_longdouble_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe) { return shmem_ctx_longdouble_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(char* dest, const char* source, size_t nelems, int pe) { return shmem_char_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe) { return shmem_ctx_char_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(signed char* dest, const signed char* source, size_t nelems, int pe) { return shmem_schar_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe) { return shmem_ctx_schar_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(short* dest, const short* source, size_t nelems, int pe) { return shmem_short_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe) { return shmem_ctx_short_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(int* dest, const int* source, size_t nelems, int pe) { return shmem_int_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe) { return shmem_ctx_int_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(long* dest, const long* source, size_t nelems, int pe) { return shmem_long_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe) { return shmem_ctx_long_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(long long* dest, const long long* source, size_t nelems, int pe) { return shmem_longlong_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe) { return shmem_ctx_longlong_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return shmem_uchar_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return shmem_ctx_uchar_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return shmem_ushort_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return shmem_ctx_ushort_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return shmem_uint_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return shmem_ctx_uint_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return shmem_ulong_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return shmem_ctx_ulong_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return shmem_ulonglong_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return shmem_ctx_ulonglong_get(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(float* dest, const float* source, size_t nelems, int pe) { return shmem_float_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe) { return shmem_ctx_float_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(double* dest, const double* source, size_t nelems, int pe) { return shmem_double_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe) { return shmem_ctx_double_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(long double* dest, const long double* source, size_t nelems, int pe) { return shmem_longdouble_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe) { return shmem_ctx_longdouble_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(char* dest, const char* source, size_t nelems, int pe) { return shmem_char_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe) { return shmem_ctx_char_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(signed char* dest, const signed char* source, size_t nelems, int pe) { return shmem_schar_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe) { return shmem_ctx_schar_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(short* dest, const short* source, size_t nelems, int pe) { return shmem_short_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe) { return shmem_ctx_short_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(int* dest, const int* source, size_t nelems, int pe) { return shmem_int_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe) { return shmem_ctx_int_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(long* dest, const long* source, size_t nelems, int pe) { return shmem_long_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe) { return shmem_ctx_long_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(long long* dest, const long long* source, size_t nelems, int pe) { return shmem_longlong_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe) { return shmem_ctx_longlong_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return shmem_uchar_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return shmem_ctx_uchar_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return shmem_ushort_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return shmem_ctx_ushort_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return shmem_uint_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return shmem_ctx_uint_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return shmem_ulong_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return shmem_ctx_ulong_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return shmem_ulonglong_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return shmem_ctx_ulonglong_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(float* dest, const float* source, size_t nelems, int pe) { return shmem_float_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, int pe) { return shmem_ctx_float_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(double* dest, const double* source, size_t nelems, int pe) { return shmem_double_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, int pe) { return shmem_ctx_double_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(long double* dest, const long double* source, size_t nelems, int pe) { return shmem_longdouble_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, int pe) { return shmem_ctx_longdouble_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(char* dest, const char* source, size_t nelems, int pe) { return shmem_char_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, int pe) { return shmem_ctx_char_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(signed char* dest, const signed char* source, size_t nelems, int pe) { return shmem_schar_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, int pe) { return shmem_ctx_schar_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(short* dest, const short* source, size_t nelems, int pe) { return shmem_short_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, int pe) { return shmem_ctx_short_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(int* dest, const int* source, size_t nelems, int pe) { return shmem_int_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, int pe) { return shmem_ctx_int_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(long* dest, const long* source, size_t nelems, int pe) { return shmem_long_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, int pe) { return shmem_ctx_long_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(long long* dest, const long long* source, size_t nelems, int pe) { return shmem_longlong_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, int pe) { return shmem_ctx_longlong_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return shmem_uchar_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, int pe) { return shmem_ctx_uchar_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return shmem_ushort_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, int pe) { return shmem_ctx_ushort_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return shmem_uint_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, int pe) { return shmem_ctx_uint_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return shmem_ulong_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, int pe) { return shmem_ctx_ulong_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return shmem_ulonglong_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, int pe) { return shmem_ctx_ulonglong_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_iput(float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_float_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_float_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_double_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_double_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_longdouble_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_longdouble_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_char_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_char_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_schar_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_schar_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_short_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_short_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_int_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_int_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_long_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_long_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_longlong_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_longlong_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_uchar_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_uchar_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ushort_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_ushort_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_uint_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_uint_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ulong_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_ulong_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ulonglong_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_ulonglong_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_float_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_float_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_double_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_double_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_longdouble_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_longdouble_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_char_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_char_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_schar_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_schar_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_short_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_short_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_int_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_int_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_long_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_long_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_longlong_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_longlong_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_uchar_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_uchar_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ushort_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_ushort_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_uint_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_uint_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ulong_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_ulong_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ulonglong_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { return shmem_ctx_ulonglong_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_p(float* dest, float value, int pe) { return shmem_float_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, float* dest, float value, int pe) { return shmem_ctx_float_p(ctx, dest, value, pe); }
inline void shmem_p(double* dest, double value, int pe) { return shmem_double_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, double* dest, double value, int pe) { return shmem_ctx_double_p(ctx, dest, value, pe); }
inline void shmem_p(long double* dest, long double value, int pe) { return shmem_longdouble_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, long double* dest, long double value, int pe) { return shmem_ctx_longdouble_p(ctx, dest, value, pe); }
inline void shmem_p(char* dest, char value, int pe) { return shmem_char_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, char* dest, char value, int pe) { return shmem_ctx_char_p(ctx, dest, value, pe); }
inline void shmem_p(signed char* dest, signed char value, int pe) { return shmem_schar_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, signed char* dest, signed char value, int pe) { return shmem_ctx_schar_p(ctx, dest, value, pe); }
inline void shmem_p(short* dest, short value, int pe) { return shmem_short_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, short* dest, short value, int pe) { return shmem_ctx_short_p(ctx, dest, value, pe); }
inline void shmem_p(int* dest, int value, int pe) { return shmem_int_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int_p(ctx, dest, value, pe); }
inline void shmem_p(long* dest, long value, int pe) { return shmem_long_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_long_p(ctx, dest, value, pe); }
inline void shmem_p(long long* dest, long long value, int pe) { return shmem_longlong_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return shmem_ctx_longlong_p(ctx, dest, value, pe); }
inline void shmem_p(unsigned char* dest, unsigned char value, int pe) { return shmem_uchar_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, unsigned char* dest, unsigned char value, int pe) { return shmem_ctx_uchar_p(ctx, dest, value, pe); }
inline void shmem_p(unsigned short* dest, unsigned short value, int pe) { return shmem_ushort_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, unsigned short* dest, unsigned short value, int pe) { return shmem_ctx_ushort_p(ctx, dest, value, pe); }
inline void shmem_p(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_p(ctx, dest, value, pe); }
inline void shmem_p(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_p(ctx, dest, value, pe); }
inline void shmem_p(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_p(ctx, dest, value, pe); }
inline float shmem_g(const float* source, int pe) { return shmem_float_g(source, pe); }
inline float shmem_g(shmem_ctx_t ctx, const float* source, int pe) { return shmem_ctx_float_g(ctx, source, pe); }
inline double shmem_g(const double* source, int pe) { return shmem_double_g(source, pe); }
inline double shmem_g(shmem_ctx_t ctx, const double* source, int pe) { return shmem_ctx_double_g(ctx, source, pe); }
inline long double shmem_g(const long double* source, int pe) { return shmem_longdouble_g(source, pe); }
inline long double shmem_g(shmem_ctx_t ctx, const long double* source, int pe) { return shmem_ctx_longdouble_g(ctx, source, pe); }
inline char shmem_g(const char* source, int pe) { return shmem_char_g(source, pe); }
inline char shmem_g(shmem_ctx_t ctx, const char* source, int pe) { return shmem_ctx_char_g(ctx, source, pe); }
inline signed char shmem_g(const signed char* source, int pe) { return shmem_schar_g(source, pe); }
inline signed char shmem_g(shmem_ctx_t ctx, const signed char* source, int pe) { return shmem_ctx_schar_g(ctx, source, pe); }
inline short shmem_g(const short* source, int pe) { return shmem_short_g(source, pe); }
inline short shmem_g(shmem_ctx_t ctx, const short* source, int pe) { return shmem_ctx_short_g(ctx, source, pe); }
inline int shmem_g(const int* source, int pe) { return shmem_int_g(source, pe); }
inline int shmem_g(shmem_ctx_t ctx, const int* source, int pe) { return shmem_ctx_int_g(ctx, source, pe); }
inline long shmem_g(const long* source, int pe) { return shmem_long_g(source, pe); }
inline long shmem_g(shmem_ctx_t ctx, const long* source, int pe) { return shmem_ctx_long_g(ctx, source, pe); }
inline long long shmem_g(const long long* source, int pe) { return shmem_longlong_g(source, pe); }
inline long long shmem_g(shmem_ctx_t ctx, const long long* source, int pe) { return shmem_ctx_longlong_g(ctx, source, pe); }
inline unsigned char shmem_g(const unsigned char* source, int pe) { return shmem_uchar_g(source, pe); }
inline unsigned char shmem_g(shmem_ctx_t ctx, const unsigned char* source, int pe) { return shmem_ctx_uchar_g(ctx, source, pe); }
inline unsigned short shmem_g(const unsigned short* source, int pe) { return shmem_ushort_g(source, pe); }
inline unsigned short shmem_g(shmem_ctx_t ctx, const unsigned short* source, int pe) { return shmem_ctx_ushort_g(ctx, source, pe); }
inline unsigned int shmem_g(const unsigned int* source, int pe) { return shmem_uint_g(source, pe); }
inline unsigned int shmem_g(shmem_ctx_t ctx, const unsigned int* source, int pe) { return shmem_ctx_uint_g(ctx, source, pe); }
inline unsigned long shmem_g(const unsigned long* source, int pe) { return shmem_ulong_g(source, pe); }
inline unsigned long shmem_g(shmem_ctx_t ctx, const unsigned long* source, int pe) { return shmem_ctx_ulong_g(ctx, source, pe); }
inline unsigned long long shmem_g(const unsigned long long* source, int pe) { return shmem_ulonglong_g(source, pe); }
inline unsigned long long shmem_g(shmem_ctx_t ctx, const unsigned long long* source, int pe) { return shmem_ctx_ulonglong_g(ctx, source, pe); }
inline void shmem_put_signal(float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_float_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_float_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_double_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_double_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_longdouble_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_longdouble_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_char_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_char_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_schar_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_schar_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_short_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_short_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_int_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_int_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_long_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_long_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_longlong_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_longlong_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_uchar_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_uchar_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ushort_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_ushort_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_uint_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_uint_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ulong_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_ulong_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ulonglong_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_ulonglong_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_float_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, float* dest, const float* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_float_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_double_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, double* dest, const double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_double_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_longdouble_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, long double* dest, const long double* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_longdouble_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_char_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, char* dest, const char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_char_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_schar_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, signed char* dest, const signed char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_schar_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_short_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, short* dest, const short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_short_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_int_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, int* dest, const int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_int_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_long_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, long* dest, const long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_long_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_longlong_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, long long* dest, const long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_longlong_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_uchar_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned char* dest, const unsigned char* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_uchar_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ushort_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned short* dest, const unsigned short* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_ushort_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_uint_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned int* dest, const unsigned int* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_uint_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ulong_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned long* dest, const unsigned long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_ulong_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ulonglong_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned long long* dest, const unsigned long long* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { return shmem_ctx_ulonglong_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline float shmem_atomic_fetch(const float* source, int pe) { return shmem_float_atomic_fetch(source, pe); }
inline float shmem_atomic_fetch(shmem_ctx_t ctx, const float* source, int pe) { return shmem_ctx_float_atomic_fetch(ctx, source, pe); }
inline double shmem_atomic_fetch(const double* source, int pe) { return shmem_double_atomic_fetch(source, pe); }
inline double shmem_atomic_fetch(shmem_ctx_t ctx, const double* source, int pe) { return shmem_ctx_double_atomic_fetch(ctx, source, pe); }
inline int shmem_atomic_fetch(const int* source, int pe) { return shmem_int_atomic_fetch(source, pe); }
inline int shmem_atomic_fetch(shmem_ctx_t ctx, const int* source, int pe) { return shmem_ctx_int_atomic_fetch(ctx, source, pe); }
inline long shmem_atomic_fetch(const long* source, int pe) { return shmem_long_atomic_fetch(source, pe); }
inline long shmem_atomic_fetch(shmem_ctx_t ctx, const long* source, int pe) { return shmem_ctx_long_atomic_fetch(ctx, source, pe); }
inline long long shmem_atomic_fetch(const long long* source, int pe) { return shmem_longlong_atomic_fetch(source, pe); }
inline long long shmem_atomic_fetch(shmem_ctx_t ctx, const long long* source, int pe) { return shmem_ctx_longlong_atomic_fetch(ctx, source, pe); }
inline unsigned int shmem_atomic_fetch(const unsigned int* source, int pe) { return shmem_uint_atomic_fetch(source, pe); }
inline unsigned int shmem_atomic_fetch(shmem_ctx_t ctx, const unsigned int* source, int pe) { return shmem_ctx_uint_atomic_fetch(ctx, source, pe); }
inline unsigned long shmem_atomic_fetch(const unsigned long* source, int pe) { return shmem_ulong_atomic_fetch(source, pe); }
inline unsigned long shmem_atomic_fetch(shmem_ctx_t ctx, const unsigned long* source, int pe) { return shmem_ctx_ulong_atomic_fetch(ctx, source, pe); }
inline unsigned long long shmem_atomic_fetch(const unsigned long long* source, int pe) { return shmem_ulonglong_atomic_fetch(source, pe); }
inline unsigned long long shmem_atomic_fetch(shmem_ctx_t ctx, const unsigned long long* source, int pe) { return shmem_ctx_ulonglong_atomic_fetch(ctx, source, pe); }
inline void shmem_atomic_set(float* dest, float value, int pe) { return shmem_float_atomic_set(dest, value, pe); }
inline void shmem_atomic_set(shmem_ctx_t ctx, float* dest, float value, int pe) { return shmem_ctx_float_atomic_set(ctx, dest, value, pe); }
inline void shmem_atomic_set(double* dest, double value, int pe) { return shmem_double_atomic_set(dest, value, pe); }
inline void shmem_atomic_set(shmem_ctx_t ctx, double* dest, double value, int pe) { return shmem_ctx_double_atomic_set(ctx, dest, value, pe); }
inline void shmem_atomic_set(int* dest, int value, int pe) { return shmem_int_atomic_set(dest, value, pe); }
inline void shmem_atomic_set(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int_atomic_set(ctx, dest, value, pe); }
inline void shmem_atomic_set(long* dest, long value, int pe) { return shmem_long_atomic_set(dest, value, pe); }
inline void shmem_atomic_set(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_long_atomic_set(ctx, dest, value, pe); }
inline void shmem_atomic_set(long long* dest, long long value, int pe) { return shmem_longlong_atomic_set(dest, value, pe); }
inline void shmem_atomic_set(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return shmem_ctx_longlong_atomic_set(ctx, dest, value, pe); }
inline void shmem_atomic_set(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_set(dest, value, pe); }
inline void shmem_atomic_set(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_set(ctx, dest, value, pe); }
inline void shmem_atomic_set(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_set(dest, value, pe); }
inline void shmem_atomic_set(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_set(ctx, dest, value, pe); }
inline void shmem_atomic_set(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_set(dest, value, pe); }
inline void shmem_atomic_set(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_set(ctx, dest, value, pe); }
inline float shmem_atomic_swap(float* dest, float value, int pe) { return shmem_float_atomic_swap(dest, value, pe); }
inline float shmem_atomic_swap(shmem_ctx_t ctx, float* dest, float value, int pe) { return shmem_ctx_float_atomic_swap(ctx, dest, value, pe); }
inline double shmem_atomic_swap(double* dest, double value, int pe) { return shmem_double_atomic_swap(dest, value, pe); }
inline double shmem_atomic_swap(shmem_ctx_t ctx, double* dest, double value, int pe) { return shmem_ctx_double_atomic_swap(ctx, dest, value, pe); }
inline int shmem_atomic_swap(int* dest, int value, int pe) { return shmem_int_atomic_swap(dest, value, pe); }
inline int shmem_atomic_swap(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int_atomic_swap(ctx, dest, value, pe); }
inline long shmem_atomic_swap(long* dest, long value, int pe) { return shmem_long_atomic_swap(dest, value, pe); }
inline long shmem_atomic_swap(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_long_atomic_swap(ctx, dest, value, pe); }
inline long long shmem_atomic_swap(long long* dest, long long value, int pe) { return shmem_longlong_atomic_swap(dest, value, pe); }
inline long long shmem_atomic_swap(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return shmem_ctx_longlong_atomic_swap(ctx, dest, value, pe); }
inline unsigned int shmem_atomic_swap(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_swap(dest, value, pe); }
inline unsigned int shmem_atomic_swap(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_swap(ctx, dest, value, pe); }
inline unsigned long shmem_atomic_swap(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_swap(dest, value, pe); }
inline unsigned long shmem_atomic_swap(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_swap(ctx, dest, value, pe); }
inline unsigned long long shmem_atomic_swap(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_swap(dest, value, pe); }
inline unsigned long long shmem_atomic_swap(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_swap(ctx, dest, value, pe); }
inline int shmem_atomic_compare_swap(int* dest, int cond, int value, int pe) { return shmem_int_atomic_compare_swap(dest, cond, value, pe); }
inline int shmem_atomic_compare_swap(shmem_ctx_t ctx, int* dest, int cond, int value, int pe) { return shmem_ctx_int_atomic_compare_swap(ctx, dest, cond, value, pe); }
inline long shmem_atomic_compare_swap(long* dest, long cond, long value, int pe) { return shmem_long_atomic_compare_swap(dest, cond, value, pe); }
inline long shmem_atomic_compare_swap(shmem_ctx_t ctx, long* dest, long cond, long value, int pe) { return shmem_ctx_long_atomic_compare_swap(ctx, dest, cond, value, pe); }
inline long long shmem_atomic_compare_swap(long long* dest, long long cond, long long value, int pe) { return shmem_longlong_atomic_compare_swap(dest, cond, value, pe); }
inline long long shmem_atomic_compare_swap(shmem_ctx_t ctx, long long* dest, long long cond, long long value, int pe) { return shmem_ctx_longlong_atomic_compare_swap(ctx, dest, cond, value, pe); }
inline unsigned int shmem_atomic_compare_swap(unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return shmem_uint_atomic_compare_swap(dest, cond, value, pe); }
inline unsigned int shmem_atomic_compare_swap(shmem_ctx_t ctx, unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return shmem_ctx_uint_atomic_compare_swap(ctx, dest, cond, value, pe); }
inline unsigned long shmem_atomic_compare_swap(unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return shmem_ulong_atomic_compare_swap(dest, cond, value, pe); }
inline unsigned long shmem_atomic_compare_swap(shmem_ctx_t ctx, unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_compare_swap(ctx, dest, cond, value, pe); }
inline unsigned long long shmem_atomic_compare_swap(unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return shmem_ulonglong_atomic_compare_swap(dest, cond, value, pe); }
inline unsigned long long shmem_atomic_compare_swap(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_compare_swap(ctx, dest, cond, value, pe); }
inline int shmem_atomic_fetch_inc(int* dest, int pe) { return shmem_int_atomic_fetch_inc(dest, pe); }
inline int shmem_atomic_fetch_inc(shmem_ctx_t ctx, int* dest, int pe) { return shmem_ctx_int_atomic_fetch_inc(ctx, dest, pe); }
inline long shmem_atomic_fetch_inc(long* dest, int pe) { return shmem_long_atomic_fetch_inc(dest, pe); }
inline long shmem_atomic_fetch_inc(shmem_ctx_t ctx, long* dest, int pe) { return shmem_ctx_long_atomic_fetch_inc(ctx, dest, pe); }
inline long long shmem_atomic_fetch_inc(long long* dest, int pe) { return shmem_longlong_atomic_fetch_inc(dest, pe); }
inline long long shmem_atomic_fetch_inc(shmem_ctx_t ctx, long long* dest, int pe) { return shmem_ctx_longlong_atomic_fetch_inc(ctx, dest, pe); }
inline unsigned int shmem_atomic_fetch_inc(unsigned int* dest, int pe) { return shmem_uint_atomic_fetch_inc(dest, pe); }
inline unsigned int shmem_atomic_fetch_inc(shmem_ctx_t ctx, unsigned int* dest, int pe) { return shmem_ctx_uint_atomic_fetch_inc(ctx, dest, pe); }
inline unsigned long shmem_atomic_fetch_inc(unsigned long* dest, int pe) { return shmem_ulong_atomic_fetch_inc(dest, pe); }
inline unsigned long shmem_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long* dest, int pe) { return shmem_ctx_ulong_atomic_fetch_inc(ctx, dest, pe); }
inline unsigned long long shmem_atomic_fetch_inc(unsigned long long* dest, int pe) { return shmem_ulonglong_atomic_fetch_inc(dest, pe); }
inline unsigned long long shmem_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long long* dest, int pe) { return shmem_ctx_ulonglong_atomic_fetch_inc(ctx, dest, pe); }
inline void shmem_atomic_inc(int* dest, int pe) { return shmem_int_atomic_inc(dest, pe); }
inline void shmem_atomic_inc(shmem_ctx_t ctx, int* dest, int pe) { return shmem_ctx_int_atomic_inc(ctx, dest, pe); }
inline void shmem_atomic_inc(long* dest, int pe) { return shmem_long_atomic_inc(dest, pe); }
inline void shmem_atomic_inc(shmem_ctx_t ctx, long* dest, int pe) { return shmem_ctx_long_atomic_inc(ctx, dest, pe); }
inline void shmem_atomic_inc(long long* dest, int pe) { return shmem_longlong_atomic_inc(dest, pe); }
inline void shmem_atomic_inc(shmem_ctx_t ctx, long long* dest, int pe) { return shmem_ctx_longlong_atomic_inc(ctx, dest, pe); }
inline void shmem_atomic_inc(unsigned int* dest, int pe) { return shmem_uint_atomic_inc(dest, pe); }
inline void shmem_atomic_inc(shmem_ctx_t ctx, unsigned int* dest, int pe) { return shmem_ctx_uint_atomic_inc(ctx, dest, pe); }
inline void shmem_atomic_inc(unsigned long* dest, int pe) { return shmem_ulong_atomic_inc(dest, pe); }
inline void shmem_atomic_inc(shmem_ctx_t ctx, unsigned long* dest, int pe) { return shmem_ctx_ulong_atomic_inc(ctx, dest, pe); }
inline void shmem_atomic_inc(unsigned long long* dest, int pe) { return shmem_ulonglong_atomic_inc(dest, pe); }
inline void shmem_atomic_inc(shmem_ctx_t ctx, unsigned long long* dest, int pe) { return shmem_ctx_ulonglong_atomic_inc(ctx, dest, pe); }
inline int shmem_atomic_fetch_add(int* dest, int value, int pe) { return shmem_int_atomic_fetch_add(dest, value, pe); }
inline int shmem_atomic_fetch_add(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int_atomic_fetch_add(ctx, dest, value, pe); }
inline long shmem_atomic_fetch_add(long* dest, long value, int pe) { return shmem_long_atomic_fetch_add(dest, value, pe); }
inline long shmem_atomic_fetch_add(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_long_atomic_fetch_add(ctx, dest, value, pe); }
inline long long shmem_atomic_fetch_add(long long* dest, long long value, int pe) { return shmem_longlong_atomic_fetch_add(dest, value, pe); }
inline long long shmem_atomic_fetch_add(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return shmem_ctx_longlong_atomic_fetch_add(ctx, dest, value, pe); }
inline unsigned int shmem_atomic_fetch_add(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_add(dest, value, pe); }
inline unsigned int shmem_atomic_fetch_add(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_add(ctx, dest, value, pe); }
inline unsigned long shmem_atomic_fetch_add(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_add(dest, value, pe); }
inline unsigned long shmem_atomic_fetch_add(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_add(ctx, dest, value, pe); }
inline unsigned long long shmem_atomic_fetch_add(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_add(dest, value, pe); }
inline unsigned long long shmem_atomic_fetch_add(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_add(ctx, dest, value, pe); }
inline void shmem_atomic_add(int* dest, int value, int pe) { return shmem_int_atomic_add(dest, value, pe); }
inline void shmem_atomic_add(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int_atomic_add(ctx, dest, value, pe); }
inline void shmem_atomic_add(long* dest, long value, int pe) { return shmem_long_atomic_add(dest, value, pe); }
inline void shmem_atomic_add(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_long_atomic_add(ctx, dest, value, pe); }
inline void shmem_atomic_add(long long* dest, long long value, int pe) { return shmem_longlong_atomic_add(dest, value, pe); }
inline void shmem_atomic_add(shmem_ctx_t ctx, long long* dest, long long value, int pe) { return shmem_ctx_longlong_atomic_add(ctx, dest, value, pe); }
inline void shmem_atomic_add(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_add(dest, value, pe); }
inline void shmem_atomic_add(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_add(ctx, dest, value, pe); }
inline void shmem_atomic_add(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_add(dest, value, pe); }
inline void shmem_atomic_add(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_add(ctx, dest, value, pe); }
inline void shmem_atomic_add(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_add(dest, value, pe); }
inline void shmem_atomic_add(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_add(ctx, dest, value, pe); }
inline unsigned int shmem_atomic_fetch_and(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_and(dest, value, pe); }
inline unsigned int shmem_atomic_fetch_and(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_and(ctx, dest, value, pe); }
inline unsigned long shmem_atomic_fetch_and(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_and(dest, value, pe); }
inline unsigned long shmem_atomic_fetch_and(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_and(ctx, dest, value, pe); }
inline unsigned long long shmem_atomic_fetch_and(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_and(dest, value, pe); }
inline unsigned long long shmem_atomic_fetch_and(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_and(ctx, dest, value, pe); }
inline int shmem_atomic_fetch_and(int* dest, int value, int pe) { return shmem_int32_atomic_fetch_and(dest, value, pe); }
inline int shmem_atomic_fetch_and(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int32_atomic_fetch_and(ctx, dest, value, pe); }
inline long shmem_atomic_fetch_and(long* dest, long value, int pe) { return shmem_int64_atomic_fetch_and(dest, value, pe); }
inline long shmem_atomic_fetch_and(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_int64_atomic_fetch_and(ctx, dest, value, pe); }
inline void shmem_atomic_and(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_and(dest, value, pe); }
inline void shmem_atomic_and(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_and(ctx, dest, value, pe); }
inline void shmem_atomic_and(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_and(dest, value, pe); }
inline void shmem_atomic_and(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_and(ctx, dest, value, pe); }
inline void shmem_atomic_and(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_and(dest, value, pe); }
inline void shmem_atomic_and(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_and(ctx, dest, value, pe); }
inline void shmem_atomic_and(int* dest, int value, int pe) { return shmem_int32_atomic_and(dest, value, pe); }
inline void shmem_atomic_and(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int32_atomic_and(ctx, dest, value, pe); }
inline void shmem_atomic_and(long* dest, long value, int pe) { return shmem_int64_atomic_and(dest, value, pe); }
inline void shmem_atomic_and(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_int64_atomic_and(ctx, dest, value, pe); }
inline unsigned int shmem_atomic_fetch_or(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_or(dest, value, pe); }
inline unsigned int shmem_atomic_fetch_or(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_or(ctx, dest, value, pe); }
inline unsigned long shmem_atomic_fetch_or(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_or(dest, value, pe); }
inline unsigned long shmem_atomic_fetch_or(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_or(ctx, dest, value, pe); }
inline unsigned long long shmem_atomic_fetch_or(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_or(dest, value, pe); }
inline unsigned long long shmem_atomic_fetch_or(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_or(ctx, dest, value, pe); }
inline int shmem_atomic_fetch_or(int* dest, int value, int pe) { return shmem_int32_atomic_fetch_or(dest, value, pe); }
inline int shmem_atomic_fetch_or(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int32_atomic_fetch_or(ctx, dest, value, pe); }
inline long shmem_atomic_fetch_or(long* dest, long value, int pe) { return shmem_int64_atomic_fetch_or(dest, value, pe); }
inline long shmem_atomic_fetch_or(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_int64_atomic_fetch_or(ctx, dest, value, pe); }
inline void shmem_atomic_or(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_or(dest, value, pe); }
inline void shmem_atomic_or(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_or(ctx, dest, value, pe); }
inline void shmem_atomic_or(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_or(dest, value, pe); }
inline void shmem_atomic_or(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_or(ctx, dest, value, pe); }
inline void shmem_atomic_or(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_or(dest, value, pe); }
inline void shmem_atomic_or(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_or(ctx, dest, value, pe); }
inline void shmem_atomic_or(int* dest, int value, int pe) { return shmem_int32_atomic_or(dest, value, pe); }
inline void shmem_atomic_or(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int32_atomic_or(ctx, dest, value, pe); }
inline void shmem_atomic_or(long* dest, long value, int pe) { return shmem_int64_atomic_or(dest, value, pe); }
inline void shmem_atomic_or(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_int64_atomic_or(ctx, dest, value, pe); }
inline unsigned int shmem_atomic_fetch_xor(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_xor(dest, value, pe); }
inline unsigned int shmem_atomic_fetch_xor(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_xor(ctx, dest, value, pe); }
inline unsigned long shmem_atomic_fetch_xor(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_xor(dest, value, pe); }
inline unsigned long shmem_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_xor(ctx, dest, value, pe); }
inline unsigned long long shmem_atomic_fetch_xor(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_xor(dest, value, pe); }
inline unsigned long long shmem_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_xor(ctx, dest, value, pe); }
inline int shmem_atomic_fetch_xor(int* dest, int value, int pe) { return shmem_int32_atomic_fetch_xor(dest, value, pe); }
inline int shmem_atomic_fetch_xor(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int32_atomic_fetch_xor(ctx, dest, value, pe); }
inline long shmem_atomic_fetch_xor(long* dest, long value, int pe) { return shmem_int64_atomic_fetch_xor(dest, value, pe); }
inline long shmem_atomic_fetch_xor(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_int64_atomic_fetch_xor(ctx, dest, value, pe); }
inline void shmem_atomic_xor(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_xor(dest, value, pe); }
inline void shmem_atomic_xor(shmem_ctx_t ctx, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_xor(ctx, dest, value, pe); }
inline void shmem_atomic_xor(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_xor(dest, value, pe); }
inline void shmem_atomic_xor(shmem_ctx_t ctx, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_xor(ctx, dest, value, pe); }
inline void shmem_atomic_xor(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_xor(dest, value, pe); }
inline void shmem_atomic_xor(shmem_ctx_t ctx, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_xor(ctx, dest, value, pe); }
inline void shmem_atomic_xor(int* dest, int value, int pe) { return shmem_int32_atomic_xor(dest, value, pe); }
inline void shmem_atomic_xor(shmem_ctx_t ctx, int* dest, int value, int pe) { return shmem_ctx_int32_atomic_xor(ctx, dest, value, pe); }
inline void shmem_atomic_xor(long* dest, long value, int pe) { return shmem_int64_atomic_xor(dest, value, pe); }
inline void shmem_atomic_xor(shmem_ctx_t ctx, long* dest, long value, int pe) { return shmem_ctx_int64_atomic_xor(ctx, dest, value, pe); }
inline void shmem_atomic_fetch_nbi(float* fetch, const float* source, int pe) { return shmem_float_atomic_fetch_nbi(fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, float* fetch, const float* source, int pe) { return shmem_ctx_float_atomic_fetch_nbi(ctx, fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(double* fetch, const double* source, int pe) { return shmem_double_atomic_fetch_nbi(fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, double* fetch, const double* source, int pe) { return shmem_ctx_double_atomic_fetch_nbi(ctx, fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(int* fetch, const int* source, int pe) { return shmem_int_atomic_fetch_nbi(fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, int* fetch, const int* source, int pe) { return shmem_ctx_int_atomic_fetch_nbi(ctx, fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(long* fetch, const long* source, int pe) { return shmem_long_atomic_fetch_nbi(fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, long* fetch, const long* source, int pe) { return shmem_ctx_long_atomic_fetch_nbi(ctx, fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(long long* fetch, const long long* source, int pe) { return shmem_longlong_atomic_fetch_nbi(fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, long long* fetch, const long long* source, int pe) { return shmem_ctx_longlong_atomic_fetch_nbi(ctx, fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(unsigned int* fetch, const unsigned int* source, int pe) { return shmem_uint_atomic_fetch_nbi(fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned int* fetch, const unsigned int* source, int pe) { return shmem_ctx_uint_atomic_fetch_nbi(ctx, fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(unsigned long* fetch, const unsigned long* source, int pe) { return shmem_ulong_atomic_fetch_nbi(fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long* fetch, const unsigned long* source, int pe) { return shmem_ctx_ulong_atomic_fetch_nbi(ctx, fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(unsigned long long* fetch, const unsigned long long* source, int pe) { return shmem_ulonglong_atomic_fetch_nbi(fetch, source, pe); }
inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long long* fetch, const unsigned long long* source, int pe) { return shmem_ctx_ulonglong_atomic_fetch_nbi(ctx, fetch, source, pe); }
inline void shmem_atomic_swap_nbi(float* fetch, float* dest, float value, int pe) { return shmem_float_atomic_swap_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, float* fetch, float* dest, float value, int pe) { return shmem_ctx_float_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(double* fetch, double* dest, double value, int pe) { return shmem_double_atomic_swap_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, double* fetch, double* dest, double value, int pe) { return shmem_ctx_double_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(int* fetch, int* dest, int value, int pe) { return shmem_int_atomic_swap_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe) { return shmem_ctx_int_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(long* fetch, long* dest, long value, int pe) { return shmem_long_atomic_swap_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long value, int pe) { return shmem_ctx_long_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(long long* fetch, long long* dest, long long value, int pe) { return shmem_longlong_atomic_swap_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, long long value, int pe) { return shmem_ctx_longlong_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_swap_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_swap_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_swap_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_compare_swap_nbi(int* fetch, int* dest, int cond, int value, int pe) { return shmem_int_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int cond, int value, int pe) { return shmem_ctx_int_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(long* fetch, long* dest, long cond, long value, int pe) { return shmem_long_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long cond, long value, int pe) { return shmem_ctx_long_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(long long* fetch, long long* dest, long long cond, long long value, int pe) { return shmem_longlong_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, long long cond, long long value, int pe) { return shmem_ctx_longlong_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(unsigned int* fetch, unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return shmem_uint_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return shmem_ctx_uint_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(unsigned long* fetch, unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return shmem_ulong_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return shmem_ulonglong_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
inline void shmem_atomic_fetch_inc_nbi(int* fetch, int* dest, int pe) { return shmem_int_atomic_fetch_inc_nbi(fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int pe) { return shmem_ctx_int_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(long* fetch, long* dest, int pe) { return shmem_long_atomic_fetch_inc_nbi(fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long* fetch, long* dest, int pe) { return shmem_ctx_long_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(long long* fetch, long long* dest, int pe) { return shmem_longlong_atomic_fetch_inc_nbi(fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, int pe) { return shmem_ctx_longlong_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(unsigned int* fetch, unsigned int* dest, int pe) { return shmem_uint_atomic_fetch_inc_nbi(fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, int pe) { return shmem_ctx_uint_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(unsigned long* fetch, unsigned long* dest, int pe) { return shmem_ulong_atomic_fetch_inc_nbi(fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, int pe) { return shmem_ctx_ulong_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(unsigned long long* fetch, unsigned long long* dest, int pe) { return shmem_ulonglong_atomic_fetch_inc_nbi(fetch, dest, pe); }
inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, int pe) { return shmem_ctx_ulonglong_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
inline void shmem_atomic_fetch_add_nbi(int* fetch, int* dest, int value, int pe) { return shmem_int_atomic_fetch_add_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe) { return shmem_ctx_int_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(long* fetch, long* dest, long value, int pe) { return shmem_long_atomic_fetch_add_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long value, int pe) { return shmem_ctx_long_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(long long* fetch, long long* dest, long long value, int pe) { return shmem_longlong_atomic_fetch_add_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, long long* fetch, long long* dest, long long value, int pe) { return shmem_ctx_longlong_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_add_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_add_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_add_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_and_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_and_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_and_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(int* fetch, int* dest, int value, int pe) { return shmem_int32_atomic_fetch_and_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe) { return shmem_ctx_int32_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(long* fetch, long* dest, long value, int pe) { return shmem_int64_atomic_fetch_and_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long value, int pe) { return shmem_ctx_int64_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_or_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_or_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_or_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(int* fetch, int* dest, int value, int pe) { return shmem_int32_atomic_fetch_or_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe) { return shmem_ctx_int32_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(long* fetch, long* dest, long value, int pe) { return shmem_int64_atomic_fetch_or_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long value, int pe) { return shmem_ctx_int64_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned int* fetch, unsigned int* dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long* fetch, unsigned long* dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long long* fetch, unsigned long long* dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(int* fetch, int* dest, int value, int pe) { return shmem_int32_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int* fetch, int* dest, int value, int pe) { return shmem_ctx_int32_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(long* fetch, long* dest, long value, int pe) { return shmem_int64_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, long* fetch, long* dest, long value, int pe) { return shmem_ctx_int64_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
inline void shmem_wait_until(short* ivar, int cmp, short cmp_value) { return shmem_short_wait_until(ivar, cmp, cmp_value); }
inline void shmem_wait_until(int* ivar, int cmp, int cmp_value) { return shmem_int_wait_until(ivar, cmp, cmp_value); }
inline void shmem_wait_until(long* ivar, int cmp, long cmp_value) { return shmem_long_wait_until(ivar, cmp, cmp_value); }
inline void shmem_wait_until(long long* ivar, int cmp, long long cmp_value) { return shmem_longlong_wait_until(ivar, cmp, cmp_value); }
inline void shmem_wait_until(unsigned short* ivar, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until(ivar, cmp, cmp_value); }
inline void shmem_wait_until(unsigned int* ivar, int cmp, unsigned int cmp_value) { return shmem_uint_wait_until(ivar, cmp, cmp_value); }
inline void shmem_wait_until(unsigned long* ivar, int cmp, unsigned long cmp_value) { return shmem_ulong_wait_until(ivar, cmp, cmp_value); }
inline void shmem_wait_until(unsigned long long* ivar, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_wait_until(ivar, cmp, cmp_value); }
inline void shmem_wait_until_all(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value) { return shmem_short_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
inline void shmem_wait_until_all(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value) { return shmem_int_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
inline void shmem_wait_until_all(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value) { return shmem_long_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
inline void shmem_wait_until_all(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value) { return shmem_longlong_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
inline void shmem_wait_until_all(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
inline void shmem_wait_until_all(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value) { return shmem_uint_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
inline void shmem_wait_until_all(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value) { return shmem_ulong_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
inline void shmem_wait_until_all(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_wait_until_any(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value) { return shmem_short_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_wait_until_any(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value) { return shmem_int_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_wait_until_any(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value) { return shmem_long_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_wait_until_any(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value) { return shmem_longlong_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_wait_until_any(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_wait_until_any(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value) { return shmem_uint_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_wait_until_any(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value) { return shmem_ulong_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_wait_until_any(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_wait_until_some(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short cmp_value) { return shmem_short_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_wait_until_some(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int cmp_value) { return shmem_int_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_wait_until_some(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long cmp_value) { return shmem_long_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_wait_until_some(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long cmp_value) { return shmem_longlong_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_wait_until_some(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_wait_until_some(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int cmp_value) { return shmem_uint_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_wait_until_some(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long cmp_value) { return shmem_ulong_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_wait_until_some(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline void shmem_wait_until_all_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values) { return shmem_short_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline void shmem_wait_until_all_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values) { return shmem_int_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline void shmem_wait_until_all_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values) { return shmem_long_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline void shmem_wait_until_all_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values) { return shmem_longlong_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline void shmem_wait_until_all_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values) { return shmem_ushort_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline void shmem_wait_until_all_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values) { return shmem_uint_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline void shmem_wait_until_all_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values) { return shmem_ulong_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline void shmem_wait_until_all_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values) { return shmem_ulonglong_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_wait_until_any_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values) { return shmem_short_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_wait_until_any_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values) { return shmem_int_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_wait_until_any_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values) { return shmem_long_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_wait_until_any_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values) { return shmem_longlong_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_wait_until_any_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values) { return shmem_ushort_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_wait_until_any_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values) { return shmem_uint_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_wait_until_any_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values) { return shmem_ulong_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_wait_until_any_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values) { return shmem_ulonglong_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_wait_until_some_vector(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short* cmp_values) { return shmem_short_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_wait_until_some_vector(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int* cmp_values) { return shmem_int_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_wait_until_some_vector(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long* cmp_values) { return shmem_long_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_wait_until_some_vector(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long* cmp_values) { return shmem_longlong_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_wait_until_some_vector(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short* cmp_values) { return shmem_ushort_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_wait_until_some_vector(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int* cmp_values) { return shmem_uint_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_wait_until_some_vector(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long* cmp_values) { return shmem_ulong_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_wait_until_some_vector(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long* cmp_values) { return shmem_ulonglong_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline int shmem_test(short* ivar, int cmp, short cmp_value) { return shmem_short_test(ivar, cmp, cmp_value); }
inline int shmem_test(int* ivar, int cmp, int cmp_value) { return shmem_int_test(ivar, cmp, cmp_value); }
inline int shmem_test(long* ivar, int cmp, long cmp_value) { return shmem_long_test(ivar, cmp, cmp_value); }
inline int shmem_test(long long* ivar, int cmp, long long cmp_value) { return shmem_longlong_test(ivar, cmp, cmp_value); }
inline int shmem_test(unsigned short* ivar, int cmp, unsigned short cmp_value) { return shmem_ushort_test(ivar, cmp, cmp_value); }
inline int shmem_test(unsigned int* ivar, int cmp, unsigned int cmp_value) { return shmem_uint_test(ivar, cmp, cmp_value); }
inline int shmem_test(unsigned long* ivar, int cmp, unsigned long cmp_value) { return shmem_ulong_test(ivar, cmp, cmp_value); }
inline int shmem_test(unsigned long long* ivar, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test(ivar, cmp, cmp_value); }
inline int shmem_test_all(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value) { return shmem_short_test_all(ivars, nelems, status, cmp, cmp_value); }
inline int shmem_test_all(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value) { return shmem_int_test_all(ivars, nelems, status, cmp, cmp_value); }
inline int shmem_test_all(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value) { return shmem_long_test_all(ivars, nelems, status, cmp, cmp_value); }
inline int shmem_test_all(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value) { return shmem_longlong_test_all(ivars, nelems, status, cmp, cmp_value); }
inline int shmem_test_all(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_all(ivars, nelems, status, cmp, cmp_value); }
inline int shmem_test_all(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value) { return shmem_uint_test_all(ivars, nelems, status, cmp, cmp_value); }
inline int shmem_test_all(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value) { return shmem_ulong_test_all(ivars, nelems, status, cmp, cmp_value); }
inline int shmem_test_all(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test_all(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_test_any(short* ivars, size_t nelems, const int* status, int cmp, short cmp_value) { return shmem_short_test_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_test_any(int* ivars, size_t nelems, const int* status, int cmp, int cmp_value) { return shmem_int_test_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_test_any(long* ivars, size_t nelems, const int* status, int cmp, long cmp_value) { return shmem_long_test_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_test_any(long long* ivars, size_t nelems, const int* status, int cmp, long long cmp_value) { return shmem_longlong_test_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_test_any(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_test_any(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int cmp_value) { return shmem_uint_test_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_test_any(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long cmp_value) { return shmem_ulong_test_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_test_any(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test_any(ivars, nelems, status, cmp, cmp_value); }
inline size_t shmem_test_some(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short cmp_value) { return shmem_short_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_test_some(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int cmp_value) { return shmem_int_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_test_some(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long cmp_value) { return shmem_long_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_test_some(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long cmp_value) { return shmem_longlong_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_test_some(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_test_some(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int cmp_value) { return shmem_uint_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_test_some(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long cmp_value) { return shmem_ulong_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline size_t shmem_test_some(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
inline int shmem_test_all_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values) { return shmem_short_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline int shmem_test_all_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values) { return shmem_int_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline int shmem_test_all_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values) { return shmem_long_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline int shmem_test_all_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values) { return shmem_longlong_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline int shmem_test_all_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values) { return shmem_ushort_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline int shmem_test_all_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values) { return shmem_uint_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline int shmem_test_all_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values) { return shmem_ulong_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline int shmem_test_all_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values) { return shmem_ulonglong_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_test_any_vector(short* ivars, size_t nelems, const int* status, int cmp, short* cmp_values) { return shmem_short_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_test_any_vector(int* ivars, size_t nelems, const int* status, int cmp, int* cmp_values) { return shmem_int_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_test_any_vector(long* ivars, size_t nelems, const int* status, int cmp, long* cmp_values) { return shmem_long_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_test_any_vector(long long* ivars, size_t nelems, const int* status, int cmp, long long* cmp_values) { return shmem_longlong_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_test_any_vector(unsigned short* ivars, size_t nelems, const int* status, int cmp, unsigned short* cmp_values) { return shmem_ushort_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_test_any_vector(unsigned int* ivars, size_t nelems, const int* status, int cmp, unsigned int* cmp_values) { return shmem_uint_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_test_any_vector(unsigned long* ivars, size_t nelems, const int* status, int cmp, unsigned long* cmp_values) { return shmem_ulong_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_test_any_vector(unsigned long long* ivars, size_t nelems, const int* status, int cmp, unsigned long long* cmp_values) { return shmem_ulonglong_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
inline size_t shmem_test_some_vector(short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, short* cmp_values) { return shmem_short_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_test_some_vector(int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, int* cmp_values) { return shmem_int_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_test_some_vector(long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long* cmp_values) { return shmem_long_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_test_some_vector(long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, long long* cmp_values) { return shmem_longlong_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_test_some_vector(unsigned short* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned short* cmp_values) { return shmem_ushort_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_test_some_vector(unsigned int* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned int* cmp_values) { return shmem_uint_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_test_some_vector(unsigned long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long* cmp_values) { return shmem_ulong_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline size_t shmem_test_some_vector(unsigned long long* ivars, size_t nelems, size_t* indices, const int* status, int cmp, unsigned long long* cmp_values) { return shmem_ulonglong_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
inline int shmem_broadcast(shmem_team_t team, float* dest, const float* source, size_t nelems, int PE_root) { return shmem_float_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, double* dest, const double* source, size_t nelems, int PE_root) { return shmem_double_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, long double* dest, const long double* source, size_t nelems, int PE_root) { return shmem_longdouble_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, char* dest, const char* source, size_t nelems, int PE_root) { return shmem_char_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems, int PE_root) { return shmem_schar_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, short* dest, const short* source, size_t nelems, int PE_root) { return shmem_short_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, int* dest, const int* source, size_t nelems, int PE_root) { return shmem_int_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, long* dest, const long* source, size_t nelems, int PE_root) { return shmem_long_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, long long* dest, const long long* source, size_t nelems, int PE_root) { return shmem_longlong_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems, int PE_root) { return shmem_uchar_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems, int PE_root) { return shmem_ushort_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems, int PE_root) { return shmem_uint_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems, int PE_root) { return shmem_ulong_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems, int PE_root) { return shmem_ulonglong_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_collect(shmem_team_t team, float* dest, const float* source, size_t nelems) { return shmem_float_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, double* dest, const double* source, size_t nelems) { return shmem_double_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, long double* dest, const long double* source, size_t nelems) { return shmem_longdouble_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, char* dest, const char* source, size_t nelems) { return shmem_char_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems) { return shmem_schar_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, short* dest, const short* source, size_t nelems) { return shmem_short_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, int* dest, const int* source, size_t nelems) { return shmem_int_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, long* dest, const long* source, size_t nelems) { return shmem_long_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, long long* dest, const long long* source, size_t nelems) { return shmem_longlong_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems) { return shmem_uchar_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems) { return shmem_ushort_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems) { return shmem_uint_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems) { return shmem_ulong_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems) { return shmem_ulonglong_collect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, float* dest, const float* source, size_t nelems) { return shmem_float_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, double* dest, const double* source, size_t nelems) { return shmem_double_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, long double* dest, const long double* source, size_t nelems) { return shmem_longdouble_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, char* dest, const char* source, size_t nelems) { return shmem_char_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems) { return shmem_schar_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, short* dest, const short* source, size_t nelems) { return shmem_short_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, int* dest, const int* source, size_t nelems) { return shmem_int_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, long* dest, const long* source, size_t nelems) { return shmem_long_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, long long* dest, const long long* source, size_t nelems) { return shmem_longlong_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems) { return shmem_uchar_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems) { return shmem_ushort_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems) { return shmem_uint_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems) { return shmem_ulong_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems) { return shmem_ulonglong_fcollect(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, float* dest, const float* source, size_t nelems) { return shmem_float_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, double* dest, const double* source, size_t nelems) { return shmem_double_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, long double* dest, const long double* source, size_t nelems) { return shmem_longdouble_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, char* dest, const char* source, size_t nelems) { return shmem_char_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, signed char* dest, const signed char* source, size_t nelems) { return shmem_schar_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, short* dest, const short* source, size_t nelems) { return shmem_short_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, int* dest, const int* source, size_t nelems) { return shmem_int_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, long* dest, const long* source, size_t nelems) { return shmem_long_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, long long* dest, const long long* source, size_t nelems) { return shmem_longlong_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nelems) { return shmem_uchar_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nelems) { return shmem_ushort_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nelems) { return shmem_uint_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nelems) { return shmem_ulong_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nelems) { return shmem_ulonglong_alltoall(team, dest, source, nelems); }
inline int shmem_alltoalls(shmem_team_t team, float* dest, const float* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_float_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, double* dest, const double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_double_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, long double* dest, const long double* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_longdouble_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, char* dest, const char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_char_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, signed char* dest, const signed char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_schar_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, short* dest, const short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_short_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, int* dest, const int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_int_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, long* dest, const long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_long_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, long long* dest, const long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_longlong_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, unsigned char* dest, const unsigned char* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_uchar_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, unsigned short* dest, const unsigned short* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_ushort_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, unsigned int* dest, const unsigned int* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_uint_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, unsigned long* dest, const unsigned long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_ulong_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_ulonglong_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_and_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return shmem_uchar_and_reduce(team, dest, source, nreduce); }
inline int shmem_and_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return shmem_ushort_and_reduce(team, dest, source, nreduce); }
inline int shmem_and_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return shmem_uint_and_reduce(team, dest, source, nreduce); }
inline int shmem_and_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return shmem_ulong_and_reduce(team, dest, source, nreduce); }
inline int shmem_and_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return shmem_ulonglong_and_reduce(team, dest, source, nreduce); }
inline int shmem_and_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return shmem_int8_and_reduce(team, dest, source, nreduce); }
inline int shmem_and_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return shmem_int16_and_reduce(team, dest, source, nreduce); }
inline int shmem_and_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return shmem_int32_and_reduce(team, dest, source, nreduce); }
inline int shmem_and_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return shmem_int64_and_reduce(team, dest, source, nreduce); }
inline int shmem_or_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return shmem_uchar_or_reduce(team, dest, source, nreduce); }
inline int shmem_or_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return shmem_ushort_or_reduce(team, dest, source, nreduce); }
inline int shmem_or_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return shmem_uint_or_reduce(team, dest, source, nreduce); }
inline int shmem_or_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return shmem_ulong_or_reduce(team, dest, source, nreduce); }
inline int shmem_or_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return shmem_ulonglong_or_reduce(team, dest, source, nreduce); }
inline int shmem_or_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return shmem_int8_or_reduce(team, dest, source, nreduce); }
inline int shmem_or_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return shmem_int16_or_reduce(team, dest, source, nreduce); }
inline int shmem_or_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return shmem_int32_or_reduce(team, dest, source, nreduce); }
inline int shmem_or_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return shmem_int64_or_reduce(team, dest, source, nreduce); }
inline int shmem_xor_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return shmem_uchar_xor_reduce(team, dest, source, nreduce); }
inline int shmem_xor_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return shmem_ushort_xor_reduce(team, dest, source, nreduce); }
inline int shmem_xor_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return shmem_uint_xor_reduce(team, dest, source, nreduce); }
inline int shmem_xor_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return shmem_ulong_xor_reduce(team, dest, source, nreduce); }
inline int shmem_xor_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return shmem_ulonglong_xor_reduce(team, dest, source, nreduce); }
inline int shmem_xor_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return shmem_int8_xor_reduce(team, dest, source, nreduce); }
inline int shmem_xor_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return shmem_int16_xor_reduce(team, dest, source, nreduce); }
inline int shmem_xor_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return shmem_int32_xor_reduce(team, dest, source, nreduce); }
inline int shmem_xor_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return shmem_int64_xor_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce) { return shmem_float_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce) { return shmem_double_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce) { return shmem_longdouble_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce) { return shmem_char_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return shmem_schar_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return shmem_short_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return shmem_int_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return shmem_long_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce) { return shmem_longlong_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return shmem_uchar_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return shmem_ushort_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return shmem_uint_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return shmem_ulong_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return shmem_ulonglong_max_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce) { return shmem_float_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce) { return shmem_double_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce) { return shmem_longdouble_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce) { return shmem_char_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return shmem_schar_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return shmem_short_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return shmem_int_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return shmem_long_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce) { return shmem_longlong_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return shmem_uchar_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return shmem_ushort_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return shmem_uint_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return shmem_ulong_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return shmem_ulonglong_min_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce) { return shmem_float_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce) { return shmem_double_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce) { return shmem_longdouble_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce) { return shmem_char_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return shmem_schar_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return shmem_short_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return shmem_int_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return shmem_long_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce) { return shmem_longlong_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return shmem_uchar_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return shmem_ushort_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return shmem_uint_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return shmem_ulong_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return shmem_ulonglong_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, double _Complex* dest, const double _Complex* source, size_t nreduce) { return shmem_complexd_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, float _Complex* dest, const float _Complex* source, size_t nreduce) { return shmem_complexf_sum_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, float* dest, const float* source, size_t nreduce) { return shmem_float_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, double* dest, const double* source, size_t nreduce) { return shmem_double_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, long double* dest, const long double* source, size_t nreduce) { return shmem_longdouble_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, char* dest, const char* source, size_t nreduce) { return shmem_char_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, signed char* dest, const signed char* source, size_t nreduce) { return shmem_schar_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, short* dest, const short* source, size_t nreduce) { return shmem_short_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, int* dest, const int* source, size_t nreduce) { return shmem_int_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, long* dest, const long* source, size_t nreduce) { return shmem_long_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, long long* dest, const long long* source, size_t nreduce) { return shmem_longlong_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, unsigned char* dest, const unsigned char* source, size_t nreduce) { return shmem_uchar_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, unsigned short* dest, const unsigned short* source, size_t nreduce) { return shmem_ushort_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, unsigned int* dest, const unsigned int* source, size_t nreduce) { return shmem_uint_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, unsigned long* dest, const unsigned long* source, size_t nreduce) { return shmem_ulong_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, unsigned long long* dest, const unsigned long long* source, size_t nreduce) { return shmem_ulonglong_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, double _Complex* dest, const double _Complex* source, size_t nreduce) { return shmem_complexd_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, float _Complex* dest, const float _Complex* source, size_t nreduce) { return shmem_complexf_prod_reduce(team, dest, source, nreduce); }
inline float shmem_fetch(const float* source, int pe) { return shmem_float_fetch(source, pe); }
inline double shmem_fetch(const double* source, int pe) { return shmem_double_fetch(source, pe); }
inline int shmem_fetch(const int* source, int pe) { return shmem_int_fetch(source, pe); }
inline long shmem_fetch(const long* source, int pe) { return shmem_long_fetch(source, pe); }
inline long long shmem_fetch(const long long* source, int pe) { return shmem_longlong_fetch(source, pe); }
inline unsigned int shmem_fetch(const unsigned int* source, int pe) { return shmem_uint_fetch(source, pe); }
inline unsigned long shmem_fetch(const unsigned long* source, int pe) { return shmem_ulong_fetch(source, pe); }
inline unsigned long long shmem_fetch(const unsigned long long* source, int pe) { return shmem_ulonglong_fetch(source, pe); }
inline void shmem_set(float* dest, float value, int pe) { return shmem_float_set(dest, value, pe); }
inline void shmem_set(double* dest, double value, int pe) { return shmem_double_set(dest, value, pe); }
inline void shmem_set(int* dest, int value, int pe) { return shmem_int_set(dest, value, pe); }
inline void shmem_set(long* dest, long value, int pe) { return shmem_long_set(dest, value, pe); }
inline void shmem_set(long long* dest, long long value, int pe) { return shmem_longlong_set(dest, value, pe); }
inline void shmem_set(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_set(dest, value, pe); }
inline void shmem_set(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_set(dest, value, pe); }
inline void shmem_set(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_set(dest, value, pe); }
inline float shmem_swap(float* dest, float value, int pe) { return shmem_float_swap(dest, value, pe); }
inline double shmem_swap(double* dest, double value, int pe) { return shmem_double_swap(dest, value, pe); }
inline int shmem_swap(int* dest, int value, int pe) { return shmem_int_swap(dest, value, pe); }
inline long shmem_swap(long* dest, long value, int pe) { return shmem_long_swap(dest, value, pe); }
inline long long shmem_swap(long long* dest, long long value, int pe) { return shmem_longlong_swap(dest, value, pe); }
inline unsigned int shmem_swap(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_swap(dest, value, pe); }
inline unsigned long shmem_swap(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_swap(dest, value, pe); }
inline unsigned long long shmem_swap(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_swap(dest, value, pe); }
inline int shmem_cswap(int* dest, int cond, int value, int pe) { return shmem_int_cswap(dest, cond, value, pe); }
inline long shmem_cswap(long* dest, long cond, long value, int pe) { return shmem_long_cswap(dest, cond, value, pe); }
inline long long shmem_cswap(long long* dest, long long cond, long long value, int pe) { return shmem_longlong_cswap(dest, cond, value, pe); }
inline unsigned int shmem_cswap(unsigned int* dest, unsigned int cond, unsigned int value, int pe) { return shmem_uint_cswap(dest, cond, value, pe); }
inline unsigned long shmem_cswap(unsigned long* dest, unsigned long cond, unsigned long value, int pe) { return shmem_ulong_cswap(dest, cond, value, pe); }
inline unsigned long long shmem_cswap(unsigned long long* dest, unsigned long long cond, unsigned long long value, int pe) { return shmem_ulonglong_cswap(dest, cond, value, pe); }
inline int shmem_finc(int* dest, int pe) { return shmem_int_finc(dest, pe); }
inline long shmem_finc(long* dest, int pe) { return shmem_long_finc(dest, pe); }
inline long long shmem_finc(long long* dest, int pe) { return shmem_longlong_finc(dest, pe); }
inline unsigned int shmem_finc(unsigned int* dest, int pe) { return shmem_uint_finc(dest, pe); }
inline unsigned long shmem_finc(unsigned long* dest, int pe) { return shmem_ulong_finc(dest, pe); }
inline unsigned long long shmem_finc(unsigned long long* dest, int pe) { return shmem_ulonglong_finc(dest, pe); }
inline void shmem_inc(int* dest, int pe) { return shmem_int_inc(dest, pe); }
inline void shmem_inc(long* dest, int pe) { return shmem_long_inc(dest, pe); }
inline void shmem_inc(long long* dest, int pe) { return shmem_longlong_inc(dest, pe); }
inline void shmem_inc(unsigned int* dest, int pe) { return shmem_uint_inc(dest, pe); }
inline void shmem_inc(unsigned long* dest, int pe) { return shmem_ulong_inc(dest, pe); }
inline void shmem_inc(unsigned long long* dest, int pe) { return shmem_ulonglong_inc(dest, pe); }
inline int shmem_fadd(int* dest, int value, int pe) { return shmem_int_fadd(dest, value, pe); }
inline long shmem_fadd(long* dest, long value, int pe) { return shmem_long_fadd(dest, value, pe); }
inline long long shmem_fadd(long long* dest, long long value, int pe) { return shmem_longlong_fadd(dest, value, pe); }
inline unsigned int shmem_fadd(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_fadd(dest, value, pe); }
inline unsigned long shmem_fadd(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_fadd(dest, value, pe); }
inline unsigned long long shmem_fadd(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_fadd(dest, value, pe); }
inline void shmem_add(int* dest, int value, int pe) { return shmem_int_add(dest, value, pe); }
inline void shmem_add(long* dest, long value, int pe) { return shmem_long_add(dest, value, pe); }
inline void shmem_add(long long* dest, long long value, int pe) { return shmem_longlong_add(dest, value, pe); }
inline void shmem_add(unsigned int* dest, unsigned int value, int pe) { return shmem_uint_add(dest, value, pe); }
inline void shmem_add(unsigned long* dest, unsigned long value, int pe) { return shmem_ulong_add(dest, value, pe); }
inline void shmem_add(unsigned long long* dest, unsigned long long value, int pe) { return shmem_ulonglong_add(dest, value, pe); }
inline void shmem_wait(short* ivar, short cmp_value) { return shmem_short_wait(ivar, cmp_value); }
inline void shmem_wait(int* ivar, int cmp_value) { return shmem_int_wait(ivar, cmp_value); }
inline void shmem_wait(long* ivar, long cmp_value) { return shmem_long_wait(ivar, cmp_value); }
inline void shmem_wait(long long* ivar, long long cmp_value) { return shmem_longlong_wait(ivar, cmp_value); }
inline void shmem_wait(unsigned short* ivar, unsigned short cmp_value) { return shmem_ushort_wait(ivar, cmp_value); }
inline void shmem_wait(unsigned int* ivar, unsigned int cmp_value) { return shmem_uint_wait(ivar, cmp_value); }
inline void shmem_wait(unsigned long* ivar, unsigned long cmp_value) { return shmem_ulong_wait(ivar, cmp_value); }
inline void shmem_wait(unsigned long long* ivar, unsigned long long cmp_value) { return shmem_ulonglong_wait(ivar, cmp_value); }

#elif __STDC_VERSION__ >= 201112L

/* The first and the second of several arguments. */
#define SHMEM_FIRST(...) SHMEM_FIRST_OF(__VA_ARGS__, 0)
#define SHMEM_FIRST_OF(first, ...) first
#define SHMEM_SECOND(...) SHMEM_SECOND_OF(__VA_ARGS__, 0, 0)
#define SHMEM_SECOND_OF(first, second, ...) second
/* Never called: where a context comes first, the type is that of the second argument. */
SHMEM_API void shmem_no_such_type(void);

#define shmem_put(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_put, \
    const float*: shmem_ctx_float_put, \
    double*: shmem_ctx_double_put, \
    const double*: shmem_ctx_double_put, \
    long double*: shmem_ctx_longdouble_put, \
    const long double*: shmem_ctx_longdouble_put, \
    char*: shmem_ctx_char_put, \
    const char*: shmem_ctx_char_put, \
    signed char*: shmem_ctx_schar_put, \
    const signed char*: shmem_ctx_schar_put, \
    short*: shmem_ctx_short_put, \
    const short*: shmem_ctx_short_put, \
    int*: shmem_ctx_int_put, \
    const int*: shmem_ctx_int_put, \
    long*: shmem_ctx_long_put, \
    const long*: shmem_ctx_long_put, \
    long long*: shmem_ctx_longlong_put, \
    const long long*: shmem_ctx_longlong_put, \
    unsigned char*: shmem_ctx_uchar_put, \
    const unsigned char*: shmem_ctx_uchar_put, \
    unsigned short*: shmem_ctx_ushort_put, \
    const unsigned short*: shmem_ctx_ushort_put, \
    unsigned int*: shmem_ctx_uint_put, \
    const unsigned int*: shmem_ctx_uint_put, \
    unsigned long*: shmem_ctx_ulong_put, \
    const unsigned long*: shmem_ctx_ulong_put, \
    unsigned long long*: shmem_ctx_ulonglong_put, \
    const unsigned long long*: shmem_ctx_ulonglong_put, \
    default: shmem_no_such_type), \
    float*: shmem_float_put, \
    const float*: shmem_float_put, \
    double*: shmem_double_put, \
    const double*: shmem_double_put, \
    long double*: shmem_longdouble_put, \
    const long double*: shmem_longdouble_put, \
    char*: shmem_char_put, \
    const char*: shmem_char_put, \
    signed char*: shmem_schar_put, \
    const signed char*: shmem_schar_put, \
    short*: shmem_short_put, \
    const short*: shmem_short_put, \
    int*: shmem_int_put, \
    const int*: shmem_int_put, \
    long*: shmem_long_put, \
    const long*: shmem_long_put, \
    long long*: shmem_longlong_put, \
    const long long*: shmem_longlong_put, \
    unsigned char*: shmem_uchar_put, \
    const unsigned char*: shmem_uchar_put, \
    unsigned short*: shmem_ushort_put, \
    const unsigned short*: shmem_ushort_put, \
    unsigned int*: shmem_uint_put, \
    const unsigned int*: shmem_uint_put, \
    unsigned long*: shmem_ulong_put, \
    const unsigned long*: shmem_ulong_put, \
    unsigned long long*: shmem_ulonglong_put, \
    const unsigned long long*: shmem_ulonglong_put)(__VA_ARGS__)
#define shmem_get(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_get, \
    const float*: shmem_ctx_float_get, \
    double*: shmem_ctx_double_get, \
    const double*: shmem_ctx_double_get, \
    long double*: shmem_ctx_longdouble_get, \
    const long double*: shmem_ctx_longdouble_get, \
    char*: shmem_ctx_char_get, \
    const char*: shmem_ctx_char_get, \
    signed char*: shmem_ctx_schar_get, \
    const signed char*: shmem_ctx_schar_get, \
    short*: shmem_ctx_short_get, \
    const short*: shmem_ctx_short_get, \
    int*: shmem_ctx_int_get, \
    const int*: shmem_ctx_int_get, \
    long*: shmem_ctx_long_get, \
    const long*: shmem_ctx_long_get, \
    long long*: shmem_ctx_longlong_get, \
    const long long*: shmem_ctx_longlong_get, \
    unsigned char*: shmem_ctx_uchar_get, \
    const unsigned char*: shmem_ctx_uchar_get, \
    unsigned short*: shmem_ctx_ushort_get, \
    const unsigned short*: shmem_ctx_ushort_get, \
    unsigned int*: shmem_ctx_uint_get, \
    const unsigned int*: shmem_ctx_uint_get, \
    unsigned long*: shmem_ctx_ulong_get, \
    const unsigned long*: shmem_ctx_ulong_get, \
    unsigned long long*: shmem_ctx_ulonglong_get, \
    const unsigned long long*: shmem_ctx_ulonglong_get, \
    default: shmem_no_such_type), \
    float*: shmem_float_get, \
    const float*: shmem_float_get, \
    double*: shmem_double_get, \
    const double*: shmem_double_get, \
    long double*: shmem_longdouble_get, \
    const long double*: shmem_longdouble_get, \
    char*: shmem_char_get, \
    const char*: shmem_char_get, \
    signed char*: shmem_schar_get, \
    const signed char*: shmem_schar_get, \
    short*: shmem_short_get, \
    const short*: shmem_short_get, \
    int*: shmem_int_get, \
    const int*: shmem_int_get, \
    long*: shmem_long_get, \
    const long*: shmem_long_get, \
    long long*: shmem_longlong_get, \
    const long long*: shmem_longlong_get, \
    unsigned char*: shmem_uchar_get, \
    const unsigned char*: shmem_uchar_get, \
    unsigned short*: shmem_ushort_get, \
    const unsigned short*: shmem_ushort_get, \
    unsigned int*: shmem_uint_get, \
    const unsigned int*: shmem_uint_get, \
    unsigned long*: shmem_ulong_get, \
    const unsigned long*: shmem_ulong_get, \
    unsigned long long*: shmem_ulonglong_get, \
    const unsigned long long*: shmem_ulonglong_get)(__VA_ARGS__)
#define shmem_put_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_put_nbi, \
    const float*: shmem_ctx_float_put_nbi, \
    double*: shmem_ctx_double_put_nbi, \
    const double*: shmem_ctx_double_put_nbi, \
    long double*: shmem_ctx_longdouble_put_nbi, \
    const long double*: shmem_ctx_longdouble_put_nbi, \
    char*: shmem_ctx_char_put_nbi, \
    const char*: shmem_ctx_char_put_nbi, \
    signed char*: shmem_ctx_schar_put_nbi, \
    const signed char*: shmem_ctx_schar_put_nbi, \
    short*: shmem_ctx_short_put_nbi, \
    const short*: shmem_ctx_short_put_nbi, \
    int*: shmem_ctx_int_put_nbi, \
    const int*: shmem_ctx_int_put_nbi, \
    long*: shmem_ctx_long_put_nbi, \
    const long*: shmem_ctx_long_put_nbi, \
    long long*: shmem_ctx_longlong_put_nbi, \
    const long long*: shmem_ctx_longlong_put_nbi, \
    unsigned char*: shmem_ctx_uchar_put_nbi, \
    const unsigned char*: shmem_ctx_uchar_put_nbi, \
    unsigned short*: shmem_ctx_ushort_put_nbi, \
    const unsigned short*: shmem_ctx_ushort_put_nbi, \
    unsigned int*: shmem_ctx_uint_put_nbi, \
    const unsigned int*: shmem_ctx_uint_put_nbi, \
    unsigned long*: shmem_ctx_ulong_put_nbi, \
    const unsigned long*: shmem_ctx_ulong_put_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_put_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_put_nbi, \
    default: shmem_no_such_type), \
    float*: shmem_float_put_nbi, \
    const float*: shmem_float_put_nbi, \
    double*: shmem_double_put_nbi, \
    const double*: shmem_double_put_nbi, \
    long double*: shmem_longdouble_put_nbi, \
    const long double*: shmem_longdouble_put_nbi, \
    char*: shmem_char_put_nbi, \
    const char*: shmem_char_put_nbi, \
    signed char*: shmem_schar_put_nbi, \
    const signed char*: shmem_schar_put_nbi, \
    short*: shmem_short_put_nbi, \
    const short*: shmem_short_put_nbi, \
    int*: shmem_int_put_nbi, \
    const int*: shmem_int_put_nbi, \
    long*: shmem_long_put_nbi, \
    const long*: shmem_long_put_nbi, \
    long long*: shmem_longlong_put_nbi, \
    const long long*: shmem_longlong_put_nbi, \
    unsigned char*: shmem_uchar_put_nbi, \
    const unsigned char*: shmem_uchar_put_nbi, \
    unsigned short*: shmem_ushort_put_nbi, \
    const unsigned short*: shmem_ushort_put_nbi, \
    unsigned int*: shmem_uint_put_nbi, \
    const unsigned int*: shmem_uint_put_nbi, \
    unsigned long*: shmem_ulong_put_nbi, \
    const unsigned long*: shmem_ulong_put_nbi, \
    unsigned long long*: shmem_ulonglong_put_nbi, \
    const unsigned long long*: shmem_ulonglong_put_nbi)(__VA_ARGS__)
#define shmem_get_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_get_nbi, \
    const float*: shmem_ctx_float_get_nbi, \
    double*: shmem_ctx_double_get_nbi, \
    const double*: shmem_ctx_double_get_nbi, \
    long double*: shmem_ctx_longdouble_get_nbi, \
    const long double*: shmem_ctx_longdouble_get_nbi, \
    char*: shmem_ctx_char_get_nbi, \
    const char*: shmem_ctx_char_get_nbi, \
    signed char*: shmem_ctx_schar_get_nbi, \
    const signed char*: shmem_ctx_schar_get_nbi, \
    short*: shmem_ctx_short_get_nbi, \
    const short*: shmem_ctx_short_get_nbi, \
    int*: shmem_ctx_int_get_nbi, \
    const int*: shmem_ctx_int_get_nbi, \
    long*: shmem_ctx_long_get_nbi, \
    const long*: shmem_ctx_long_get_nbi, \
    long long*: shmem_ctx_longlong_get_nbi, \
    const long long*: shmem_ctx_longlong_get_nbi, \
    unsigned char*: shmem_ctx_uchar_get_nbi, \
    const unsigned char*: shmem_ctx_uchar_get_nbi, \
    unsigned short*: shmem_ctx_ushort_get_nbi, \
    const unsigned short*: shmem_ctx_ushort_get_nbi, \
    unsigned int*: shmem_ctx_uint_get_nbi, \
    const unsigned int*: shmem_ctx_uint_get_nbi, \
    unsigned long*: shmem_ctx_ulong_get_nbi, \
    const unsigned long*: shmem_ctx_ulong_get_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_get_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_get_nbi, \
    default: shmem_no_such_type), \
    float*: shmem_float_get_nbi, \
    const float*: shmem_float_get_nbi, \
    double*: shmem_double_get_nbi, \
    const double*: shmem_double_get_nbi, \
    long double*: shmem_longdouble_get_nbi, \
    const long double*: shmem_longdouble_get_nbi, \
    char*: shmem_char_get_nbi, \
    const char*: shmem_char_get_nbi, \
    signed char*: shmem_schar_get_nbi, \
    const signed char*: shmem_schar_get_nbi, \
    short*: shmem_short_get_nbi, \
    const short*: shmem_short_get_nbi, \
    int*: shmem_int_get_nbi, \
    const int*: shmem_int_get_nbi, \
    long*: shmem_long_get_nbi, \
    const long*: shmem_long_get_nbi, \
    long long*: shmem_longlong_get_nbi, \
    const long long*: shmem_longlong_get_nbi, \
    unsigned char*: shmem_uchar_get_nbi, \
    const unsigned char*: shmem_uchar_get_nbi, \
    unsigned short*: shmem_ushort_get_nbi, \
    const unsigned short*: shmem_ushort_get_nbi, \
    unsigned int*: shmem_uint_get_nbi, \
    const unsigned int*: shmem_uint_get_nbi, \
    unsigned long*: shmem_ulong_get_nbi, \
    const unsigned long*: shmem_ulong_get_nbi, \
    unsigned long long*: shmem_ulonglong_get_nbi, \
    const unsigned long long*: shmem_ulonglong_get_nbi)(__VA_ARGS__)
#define shmem_iput(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_iput, \
    const float*: shmem_ctx_float_iput, \
    double*: shmem_ctx_double_iput, \
    const double*: shmem_ctx_double_iput, \
    long double*: shmem_ctx_longdouble_iput, \
    const long double*: shmem_ctx_longdouble_iput, \
    char*: shmem_ctx_char_iput, \
    const char*: shmem_ctx_char_iput, \
    signed char*: shmem_ctx_schar_iput, \
    const signed char*: shmem_ctx_schar_iput, \
    short*: shmem_ctx_short_iput, \
    const short*: shmem_ctx_short_iput, \
    int*: shmem_ctx_int_iput, \
    const int*: shmem_ctx_int_iput, \
    long*: shmem_ctx_long_iput, \
    const long*: shmem_ctx_long_iput, \
    long long*: shmem_ctx_longlong_iput, \
    const long long*: shmem_ctx_longlong_iput, \
    unsigned char*: shmem_ctx_uchar_iput, \
    const unsigned char*: shmem_ctx_uchar_iput, \
    unsigned short*: shmem_ctx_ushort_iput, \
    const unsigned short*: shmem_ctx_ushort_iput, \
    unsigned int*: shmem_ctx_uint_iput, \
    const unsigned int*: shmem_ctx_uint_iput, \
    unsigned long*: shmem_ctx_ulong_iput, \
    const unsigned long*: shmem_ctx_ulong_iput, \
    unsigned long long*: shmem_ctx_ulonglong_iput, \
    const unsigned long long*: shmem_ctx_ulonglong_iput, \
    default: shmem_no_such_type), \
    float*: shmem_float_iput, \
    const float*: shmem_float_iput, \
    double*: shmem_double_iput, \
    const double*: shmem_double_iput, \
    long double*: shmem_longdouble_iput, \
    const long double*: shmem_longdouble_iput, \
    char*: shmem_char_iput, \
    const char*: shmem_char_iput, \
    signed char*: shmem_schar_iput, \
    const signed char*: shmem_schar_iput, \
    short*: shmem_short_iput, \
    const short*: shmem_short_iput, \
    int*: shmem_int_iput, \
    const int*: shmem_int_iput, \
    long*: shmem_long_iput, \
    const long*: shmem_long_iput, \
    long long*: shmem_longlong_iput, \
    const long long*: shmem_longlong_iput, \
    unsigned char*: shmem_uchar_iput, \
    const unsigned char*: shmem_uchar_iput, \
    unsigned short*: shmem_ushort_iput, \
    const unsigned short*: shmem_ushort_iput, \
    unsigned int*: shmem_uint_iput, \
    const unsigned int*: shmem_uint_iput, \
    unsigned long*: shmem_ulong_iput, \
    const unsigned long*: shmem_ulong_iput, \
    unsigned long long*: shmem_ulonglong_iput, \
    const unsigned long long*: shmem_ulonglong_iput)(__VA_ARGS__)
#define shmem_iget(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_iget, \
    const float*: shmem_ctx_float_iget, \
    double*: shmem_ctx_double_iget, \
    const double*: shmem_ctx_double_iget, \
    long double*: shmem_ctx_longdouble_iget, \
    const long double*: shmem_ctx_longdouble_iget, \
    char*: shmem_ctx_char_iget, \
    const char*: shmem_ctx_char_iget, \
    signed char*: shmem_ctx_schar_iget, \
    const signed char*: shmem_ctx_schar_iget, \
    short*: shmem_ctx_short_iget, \
    const short*: shmem_ctx_short_iget, \
    int*: shmem_ctx_int_iget, \
    const int*: shmem_ctx_int_iget, \
    long*: shmem_ctx_long_iget, \
    const long*: shmem_ctx_long_iget, \
    long long*: shmem_ctx_longlong_iget, \
    const long long*: shmem_ctx_longlong_iget, \
    unsigned char*: shmem_ctx_uchar_iget, \
    const unsigned char*: shmem_ctx_uchar_iget, \
    unsigned short*: shmem_ctx_ushort_iget, \
    const unsigned short*: shmem_ctx_ushort_iget, \
    unsigned int*: shmem_ctx_uint_iget, \
    const unsigned int*: shmem_ctx_uint_iget, \
    unsigned long*: shmem_ctx_ulong_iget, \
    const unsigned long*: shmem_ctx_ulong_iget, \
    unsigned long long*: shmem_ctx_ulonglong_iget, \
    const unsigned long long*: shmem_ctx_ulonglong_iget, \
    default: shmem_no_such_type), \
    float*: shmem_float_iget, \
    const float*: shmem_float_iget, \
    double*: shmem_double_iget, \
    const double*: shmem_double_iget, \
    long double*: shmem_longdouble_iget, \
    const long double*: shmem_longdouble_iget, \
    char*: shmem_char_iget, \
    const char*: shmem_char_iget, \
    signed char*: shmem_schar_iget, \
    const signed char*: shmem_schar_iget, \
    short*: shmem_short_iget, \
    const short*: shmem_short_iget, \
    int*: shmem_int_iget, \
    const int*: shmem_int_iget, \
    long*: shmem_long_iget, \
    const long*: shmem_long_iget, \
    long long*: shmem_longlong_iget, \
    const long long*: shmem_longlong_iget, \
    unsigned char*: shmem_uchar_iget, \
    const unsigned char*: shmem_uchar_iget, \
    unsigned short*: shmem_ushort_iget, \
    const unsigned short*: shmem_ushort_iget, \
    unsigned int*: shmem_uint_iget, \
    const unsigned int*: shmem_uint_iget, \
    unsigned long*: shmem_ulong_iget, \
    const unsigned long*: shmem_ulong_iget, \
    unsigned long long*: shmem_ulonglong_iget, \
    const unsigned long long*: shmem_ulonglong_iget)(__VA_ARGS__)
#define shmem_p(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_p, \
    const float*: shmem_ctx_float_p, \
    double*: shmem_ctx_double_p, \
    const double*: shmem_ctx_double_p, \
    long double*: shmem_ctx_longdouble_p, \
    const long double*: shmem_ctx_longdouble_p, \
    char*: shmem_ctx_char_p, \
    const char*: shmem_ctx_char_p, \
    signed char*: shmem_ctx_schar_p, \
    const signed char*: shmem_ctx_schar_p, \
    short*: shmem_ctx_short_p, \
    const short*: shmem_ctx_short_p, \
    int*: shmem_ctx_int_p, \
    const int*: shmem_ctx_int_p, \
    long*: shmem_ctx_long_p, \
    const long*: shmem_ctx_long_p, \
    long long*: shmem_ctx_longlong_p, \
    const long long*: shmem_ctx_longlong_p, \
    unsigned char*: shmem_ctx_uchar_p, \
    const unsigned char*: shmem_ctx_uchar_p, \
    unsigned short*: shmem_ctx_ushort_p, \
    const unsigned short*: shmem_ctx_ushort_p, \
    unsigned int*: shmem_ctx_uint_p, \
    const unsigned int*: shmem_ctx_uint_p, \
    unsigned long*: shmem_ctx_ulong_p, \
    const unsigned long*: shmem_ctx_ulong_p, \
    unsigned long long*: shmem_ctx_ulonglong_p, \
    const unsigned long long*: shmem_ctx_ulonglong_p, \
    default: shmem_no_such_type), \
    float*: shmem_float_p, \
    const float*: shmem_float_p, \
    double*: shmem_double_p, \
    const double*: shmem_double_p, \
    long double*: shmem_longdouble_p, \
    const long double*: shmem_longdouble_p, \
    char*: shmem_char_p, \
    const char*: shmem_char_p, \
    signed char*: shmem_schar_p, \
    const signed char*: shmem_schar_p, \
    short*: shmem_short_p, \
    const short*: shmem_short_p, \
    int*: shmem_int_p, \
    const int*: shmem_int_p, \
    long*: shmem_long_p, \
    const long*: shmem_long_p, \
    long long*: shmem_longlong_p, \
    const long long*: shmem_longlong_p, \
    unsigned char*: shmem_uchar_p, \
    const unsigned char*: shmem_uchar_p, \
    unsigned short*: shmem_ushort_p, \
    const unsigned short*: shmem_ushort_p, \
    unsigned int*: shmem_uint_p, \
    const unsigned int*: shmem_uint_p, \
    unsigned long*: shmem_ulong_p, \
    const unsigned long*: shmem_ulong_p, \
    unsigned long long*: shmem_ulonglong_p, \
    const unsigned long long*: shmem_ulonglong_p)(__VA_ARGS__)
#define shmem_g(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_g, \
    const float*: shmem_ctx_float_g, \
    double*: shmem_ctx_double_g, \
    const double*: shmem_ctx_double_g, \
    long double*: shmem_ctx_longdouble_g, \
    const long double*: shmem_ctx_longdouble_g, \
    char*: shmem_ctx_char_g, \
    const char*: shmem_ctx_char_g, \
    signed char*: shmem_ctx_schar_g, \
    const signed char*: shmem_ctx_schar_g, \
    short*: shmem_ctx_short_g, \
    const short*: shmem_ctx_short_g, \
    int*: shmem_ctx_int_g, \
    const int*: shmem_ctx_int_g, \
    long*: shmem_ctx_long_g, \
    const long*: shmem_ctx_long_g, \
    long long*: shmem_ctx_longlong_g, \
    const long long*: shmem_ctx_longlong_g, \
    unsigned char*: shmem_ctx_uchar_g, \
    const unsigned char*: shmem_ctx_uchar_g, \
    unsigned short*: shmem_ctx_ushort_g, \
    const unsigned short*: shmem_ctx_ushort_g, \
    unsigned int*: shmem_ctx_uint_g, \
    const unsigned int*: shmem_ctx_uint_g, \
    unsigned long*: shmem_ctx_ulong_g, \
    const unsigned long*: shmem_ctx_ulong_g, \
    unsigned long long*: shmem_ctx_ulonglong_g, \
    const unsigned long long*: shmem_ctx_ulonglong_g, \
    default: shmem_no_such_type), \
    float*: shmem_float_g, \
    const float*: shmem_float_g, \
    double*: shmem_double_g, \
    const double*: shmem_double_g, \
    long double*: shmem_longdouble_g, \
    const long double*: shmem_longdouble_g, \
    char*: shmem_char_g, \
    const char*: shmem_char_g, \
    signed char*: shmem_schar_g, \
    const signed char*: shmem_schar_g, \
    short*: shmem_short_g, \
    const short*: shmem_short_g, \
    int*: shmem_int_g, \
    const int*: shmem_int_g, \
    long*: shmem_long_g, \
    const long*: shmem_long_g, \
    long long*: shmem_longlong_g, \
    const long long*: shmem_longlong_g, \
    unsigned char*: shmem_uchar_g, \
    const unsigned char*: shmem_uchar_g, \
    unsigned short*: shmem_ushort_g, \
    const unsigned short*: shmem_ushort_g, \
    unsigned int*: shmem_uint_g, \
    const unsigned int*: shmem_uint_g, \
    unsigned long*: shmem_ulong_g, \
    const unsigned long*: shmem_ulong_g, \
    unsigned long long*: shmem_ulonglong_g, \
    const unsigned long long*: shmem_ulonglong_g)(__VA_ARGS__)
#define shmem_put_signal(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_put_signal, \
    const float*: shmem_ctx_float_put_signal, \
    double*: shmem_ctx_double_put_signal, \
    const double*: shmem_ctx_double_put_signal, \
    long double*: shmem_ctx_longdouble_put_signal, \
    const long double*: shmem_ctx_longdouble_put_signal, \
    char*: shmem_ctx_char_put_signal, \
    const char*: shmem_ctx_char_put_signal, \
    signed char*: shmem_ctx_schar_put_signal, \
    const signed char*: shmem_ctx_schar_put_signal, \
    short*: shmem_ctx_short_put_signal, \
    const short*: shmem_ctx_short_put_signal, \
    int*: shmem_ctx_int_put_signal, \
    const int*: shmem_ctx_int_put_signal, \
    long*: shmem_ctx_long_put_signal, \
    const long*: shmem_ctx_long_put_signal, \
    long long*: shmem_ctx_longlong_put_signal, \
    const long long*: shmem_ctx_longlong_put_signal, \
    unsigned char*: shmem_ctx_uchar_put_signal, \
    const unsigned char*: shmem_ctx_uchar_put_signal, \
    unsigned short*: shmem_ctx_ushort_put_signal, \
    const unsigned short*: shmem_ctx_ushort_put_signal, \
    unsigned int*: shmem_ctx_uint_put_signal, \
    const unsigned int*: shmem_ctx_uint_put_signal, \
    unsigned long*: shmem_ctx_ulong_put_signal, \
    const unsigned long*: shmem_ctx_ulong_put_signal, \
    unsigned long long*: shmem_ctx_ulonglong_put_signal, \
    const unsigned long long*: shmem_ctx_ulonglong_put_signal, \
    default: shmem_no_such_type), \
    float*: shmem_float_put_signal, \
    const float*: shmem_float_put_signal, \
    double*: shmem_double_put_signal, \
    const double*: shmem_double_put_signal, \
    long double*: shmem_longdouble_put_signal, \
    const long double*: shmem_longdouble_put_signal, \
    char*: shmem_char_put_signal, \
    const char*: shmem_char_put_signal, \
    signed char*: shmem_schar_put_signal, \
    const signed char*: shmem_schar_put_signal, \
    short*: shmem_short_put_signal, \
    const short*: shmem_short_put_signal, \
    int*: shmem_int_put_signal, \
    const int*: shmem_int_put_signal, \
    long*: shmem_long_put_signal, \
    const long*: shmem_long_put_signal, \
    long long*: shmem_longlong_put_signal, \
    const long long*: shmem_longlong_put_signal, \
    unsigned char*: shmem_uchar_put_signal, \
    const unsigned char*: shmem_uchar_put_signal, \
    unsigned short*: shmem_ushort_put_signal, \
    const unsigned short*: shmem_ushort_put_signal, \
    unsigned int*: shmem_uint_put_signal, \
    const unsigned int*: shmem_uint_put_signal, \
    unsigned long*: shmem_ulong_put_signal, \
    const unsigned long*: shmem_ulong_put_signal, \
    unsigned long long*: shmem_ulonglong_put_signal, \
    const unsigned long long*: shmem_ulonglong_put_signal)(__VA_ARGS__)
#define shmem_put_signal_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_put_signal_nbi, \
    const float*: shmem_ctx_float_put_signal_nbi, \
    double*: shmem_ctx_double_put_signal_nbi, \
    const double*: shmem_ctx_double_put_signal_nbi, \
    long double*: shmem_ctx_longdouble_put_signal_nbi, \
    const long double*: shmem_ctx_longdouble_put_signal_nbi, \
    char*: shmem_ctx_char_put_signal_nbi, \
    const char*: shmem_ctx_char_put_signal_nbi, \
    signed char*: shmem_ctx_schar_put_signal_nbi, \
    const signed char*: shmem_ctx_schar_put_signal_nbi, \
    short*: shmem_ctx_short_put_signal_nbi, \
    const short*: shmem_ctx_short_put_signal_nbi, \
    int*: shmem_ctx_int_put_signal_nbi, \
    const int*: shmem_ctx_int_put_signal_nbi, \
    long*: shmem_ctx_long_put_signal_nbi, \
    const long*: shmem_ctx_long_put_signal_nbi, \
    long long*: shmem_ctx_longlong_put_signal_nbi, \
    const long long*: shmem_ctx_longlong_put_signal_nbi, \
    unsigned char*: shmem_ctx_uchar_put_signal_nbi, \
    const unsigned char*: shmem_ctx_uchar_put_signal_nbi, \
    unsigned short*: shmem_ctx_ushort_put_signal_nbi, \
    const unsigned short*: shmem_ctx_ushort_put_signal_nbi, \
    unsigned int*: shmem_ctx_uint_put_signal_nbi, \
    const unsigned int*: shmem_ctx_uint_put_signal_nbi, \
    unsigned long*: shmem_ctx_ulong_put_signal_nbi, \
    const unsigned long*: shmem_ctx_ulong_put_signal_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_put_signal_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_put_signal_nbi, \
    default: shmem_no_such_type), \
    float*: shmem_float_put_signal_nbi, \
    const float*: shmem_float_put_signal_nbi, \
    double*: shmem_double_put_signal_nbi, \
    const double*: shmem_double_put_signal_nbi, \
    long double*: shmem_longdouble_put_signal_nbi, \
    const long double*: shmem_longdouble_put_signal_nbi, \
    char*: shmem_char_put_signal_nbi, \
    const char*: shmem_char_put_signal_nbi, \
    signed char*: shmem_schar_put_signal_nbi, \
    const signed char*: shmem_schar_put_signal_nbi, \
    short*: shmem_short_put_signal_nbi, \
    const short*: shmem_short_put_signal_nbi, \
    int*: shmem_int_put_signal_nbi, \
    const int*: shmem_int_put_signal_nbi, \
    long*: shmem_long_put_signal_nbi, \
    const long*: shmem_long_put_signal_nbi, \
    long long*: shmem_longlong_put_signal_nbi, \
    const long long*: shmem_longlong_put_signal_nbi, \
    unsigned char*: shmem_uchar_put_signal_nbi, \
    const unsigned char*: shmem_uchar_put_signal_nbi, \
    unsigned short*: shmem_ushort_put_signal_nbi, \
    const unsigned short*: shmem_ushort_put_signal_nbi, \
    unsigned int*: shmem_uint_put_signal_nbi, \
    const unsigned int*: shmem_uint_put_signal_nbi, \
    unsigned long*: shmem_ulong_put_signal_nbi, \
    const unsigned long*: shmem_ulong_put_signal_nbi, \
    unsigned long long*: shmem_ulonglong_put_signal_nbi, \
    const unsigned long long*: shmem_ulonglong_put_signal_nbi)(__VA_ARGS__)
#define shmem_atomic_fetch(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_atomic_fetch, \
    const float*: shmem_ctx_float_atomic_fetch, \
    double*: shmem_ctx_double_atomic_fetch, \
    const double*: shmem_ctx_double_atomic_fetch, \
    int*: shmem_ctx_int_atomic_fetch, \
    const int*: shmem_ctx_int_atomic_fetch, \
    long*: shmem_ctx_long_atomic_fetch, \
    const long*: shmem_ctx_long_atomic_fetch, \
    long long*: shmem_ctx_longlong_atomic_fetch, \
    const long long*: shmem_ctx_longlong_atomic_fetch, \
    unsigned int*: shmem_ctx_uint_atomic_fetch, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch, \
    default: shmem_no_such_type), \
    float*: shmem_float_atomic_fetch, \
    const float*: shmem_float_atomic_fetch, \
    double*: shmem_double_atomic_fetch, \
    const double*: shmem_double_atomic_fetch, \
    int*: shmem_int_atomic_fetch, \
    const int*: shmem_int_atomic_fetch, \
    long*: shmem_long_atomic_fetch, \
    const long*: shmem_long_atomic_fetch, \
    long long*: shmem_longlong_atomic_fetch, \
    const long long*: shmem_longlong_atomic_fetch, \
    unsigned int*: shmem_uint_atomic_fetch, \
    const unsigned int*: shmem_uint_atomic_fetch, \
    unsigned long*: shmem_ulong_atomic_fetch, \
    const unsigned long*: shmem_ulong_atomic_fetch, \
    unsigned long long*: shmem_ulonglong_atomic_fetch, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch)(__VA_ARGS__)
#define shmem_atomic_set(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_atomic_set, \
    const float*: shmem_ctx_float_atomic_set, \
    double*: shmem_ctx_double_atomic_set, \
    const double*: shmem_ctx_double_atomic_set, \
    int*: shmem_ctx_int_atomic_set, \
    const int*: shmem_ctx_int_atomic_set, \
    long*: shmem_ctx_long_atomic_set, \
    const long*: shmem_ctx_long_atomic_set, \
    long long*: shmem_ctx_longlong_atomic_set, \
    const long long*: shmem_ctx_longlong_atomic_set, \
    unsigned int*: shmem_ctx_uint_atomic_set, \
    const unsigned int*: shmem_ctx_uint_atomic_set, \
    unsigned long*: shmem_ctx_ulong_atomic_set, \
    const unsigned long*: shmem_ctx_ulong_atomic_set, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_set, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_set, \
    default: shmem_no_such_type), \
    float*: shmem_float_atomic_set, \
    const float*: shmem_float_atomic_set, \
    double*: shmem_double_atomic_set, \
    const double*: shmem_double_atomic_set, \
    int*: shmem_int_atomic_set, \
    const int*: shmem_int_atomic_set, \
    long*: shmem_long_atomic_set, \
    const long*: shmem_long_atomic_set, \
    long long*: shmem_longlong_atomic_set, \
    const long long*: shmem_longlong_atomic_set, \
    unsigned int*: shmem_uint_atomic_set, \
    const unsigned int*: shmem_uint_atomic_set, \
    unsigned long*: shmem_ulong_atomic_set, \
    const unsigned long*: shmem_ulong_atomic_set, \
    unsigned long long*: shmem_ulonglong_atomic_set, \
    const unsigned long long*: shmem_ulonglong_atomic_set)(__VA_ARGS__)
#define shmem_atomic_swap(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_atomic_swap, \
    const float*: shmem_ctx_float_atomic_swap, \
    double*: shmem_ctx_double_atomic_swap, \
    const double*: shmem_ctx_double_atomic_swap, \
    int*: shmem_ctx_int_atomic_swap, \
    const int*: shmem_ctx_int_atomic_swap, \
    long*: shmem_ctx_long_atomic_swap, \
    const long*: shmem_ctx_long_atomic_swap, \
    long long*: shmem_ctx_longlong_atomic_swap, \
    const long long*: shmem_ctx_longlong_atomic_swap, \
    unsigned int*: shmem_ctx_uint_atomic_swap, \
    const unsigned int*: shmem_ctx_uint_atomic_swap, \
    unsigned long*: shmem_ctx_ulong_atomic_swap, \
    const unsigned long*: shmem_ctx_ulong_atomic_swap, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_swap, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_swap, \
    default: shmem_no_such_type), \
    float*: shmem_float_atomic_swap, \
    const float*: shmem_float_atomic_swap, \
    double*: shmem_double_atomic_swap, \
    const double*: shmem_double_atomic_swap, \
    int*: shmem_int_atomic_swap, \
    const int*: shmem_int_atomic_swap, \
    long*: shmem_long_atomic_swap, \
    const long*: shmem_long_atomic_swap, \
    long long*: shmem_longlong_atomic_swap, \
    const long long*: shmem_longlong_atomic_swap, \
    unsigned int*: shmem_uint_atomic_swap, \
    const unsigned int*: shmem_uint_atomic_swap, \
    unsigned long*: shmem_ulong_atomic_swap, \
    const unsigned long*: shmem_ulong_atomic_swap, \
    unsigned long long*: shmem_ulonglong_atomic_swap, \
    const unsigned long long*: shmem_ulonglong_atomic_swap)(__VA_ARGS__)
#define shmem_atomic_compare_swap(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    int*: shmem_ctx_int_atomic_compare_swap, \
    const int*: shmem_ctx_int_atomic_compare_swap, \
    long*: shmem_ctx_long_atomic_compare_swap, \
    const long*: shmem_ctx_long_atomic_compare_swap, \
    long long*: shmem_ctx_longlong_atomic_compare_swap, \
    const long long*: shmem_ctx_longlong_atomic_compare_swap, \
    unsigned int*: shmem_ctx_uint_atomic_compare_swap, \
    const unsigned int*: shmem_ctx_uint_atomic_compare_swap, \
    unsigned long*: shmem_ctx_ulong_atomic_compare_swap, \
    const unsigned long*: shmem_ctx_ulong_atomic_compare_swap, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_compare_swap, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_compare_swap, \
    default: shmem_no_such_type), \
    int*: shmem_int_atomic_compare_swap, \
    const int*: shmem_int_atomic_compare_swap, \
    long*: shmem_long_atomic_compare_swap, \
    const long*: shmem_long_atomic_compare_swap, \
    long long*: shmem_longlong_atomic_compare_swap, \
    const long long*: shmem_longlong_atomic_compare_swap, \
    unsigned int*: shmem_uint_atomic_compare_swap, \
    const unsigned int*: shmem_uint_atomic_compare_swap, \
    unsigned long*: shmem_ulong_atomic_compare_swap, \
    const unsigned long*: shmem_ulong_atomic_compare_swap, \
    unsigned long long*: shmem_ulonglong_atomic_compare_swap, \
    const unsigned long long*: shmem_ulonglong_atomic_compare_swap)(__VA_ARGS__)
#define shmem_atomic_fetch_inc(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    int*: shmem_ctx_int_atomic_fetch_inc, \
    const int*: shmem_ctx_int_atomic_fetch_inc, \
    long*: shmem_ctx_long_atomic_fetch_inc, \
    const long*: shmem_ctx_long_atomic_fetch_inc, \
    long long*: shmem_ctx_longlong_atomic_fetch_inc, \
    const long long*: shmem_ctx_longlong_atomic_fetch_inc, \
    unsigned int*: shmem_ctx_uint_atomic_fetch_inc, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_inc, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_inc, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_inc, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_inc, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_inc, \
    default: shmem_no_such_type), \
    int*: shmem_int_atomic_fetch_inc, \
    const int*: shmem_int_atomic_fetch_inc, \
    long*: shmem_long_atomic_fetch_inc, \
    const long*: shmem_long_atomic_fetch_inc, \
    long long*: shmem_longlong_atomic_fetch_inc, \
    const long long*: shmem_longlong_atomic_fetch_inc, \
    unsigned int*: shmem_uint_atomic_fetch_inc, \
    const unsigned int*: shmem_uint_atomic_fetch_inc, \
    unsigned long*: shmem_ulong_atomic_fetch_inc, \
    const unsigned long*: shmem_ulong_atomic_fetch_inc, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_inc, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_inc)(__VA_ARGS__)
#define shmem_atomic_inc(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    int*: shmem_ctx_int_atomic_inc, \
    const int*: shmem_ctx_int_atomic_inc, \
    long*: shmem_ctx_long_atomic_inc, \
    const long*: shmem_ctx_long_atomic_inc, \
    long long*: shmem_ctx_longlong_atomic_inc, \
    const long long*: shmem_ctx_longlong_atomic_inc, \
    unsigned int*: shmem_ctx_uint_atomic_inc, \
    const unsigned int*: shmem_ctx_uint_atomic_inc, \
    unsigned long*: shmem_ctx_ulong_atomic_inc, \
    const unsigned long*: shmem_ctx_ulong_atomic_inc, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_inc, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_inc, \
    default: shmem_no_such_type), \
    int*: shmem_int_atomic_inc, \
    const int*: shmem_int_atomic_inc, \
    long*: shmem_long_atomic_inc, \
    const long*: shmem_long_atomic_inc, \
    long long*: shmem_longlong_atomic_inc, \
    const long long*: shmem_longlong_atomic_inc, \
    unsigned int*: shmem_uint_atomic_inc, \
    const unsigned int*: shmem_uint_atomic_inc, \
    unsigned long*: shmem_ulong_atomic_inc, \
    const unsigned long*: shmem_ulong_atomic_inc, \
    unsigned long long*: shmem_ulonglong_atomic_inc, \
    const unsigned long long*: shmem_ulonglong_atomic_inc)(__VA_ARGS__)
#define shmem_atomic_fetch_add(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    int*: shmem_ctx_int_atomic_fetch_add, \
    const int*: shmem_ctx_int_atomic_fetch_add, \
    long*: shmem_ctx_long_atomic_fetch_add, \
    const long*: shmem_ctx_long_atomic_fetch_add, \
    long long*: shmem_ctx_longlong_atomic_fetch_add, \
    const long long*: shmem_ctx_longlong_atomic_fetch_add, \
    unsigned int*: shmem_ctx_uint_atomic_fetch_add, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_add, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_add, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_add, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_add, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_add, \
    default: shmem_no_such_type), \
    int*: shmem_int_atomic_fetch_add, \
    const int*: shmem_int_atomic_fetch_add, \
    long*: shmem_long_atomic_fetch_add, \
    const long*: shmem_long_atomic_fetch_add, \
    long long*: shmem_longlong_atomic_fetch_add, \
    const long long*: shmem_longlong_atomic_fetch_add, \
    unsigned int*: shmem_uint_atomic_fetch_add, \
    const unsigned int*: shmem_uint_atomic_fetch_add, \
    unsigned long*: shmem_ulong_atomic_fetch_add, \
    const unsigned long*: shmem_ulong_atomic_fetch_add, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_add, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_add)(__VA_ARGS__)
#define shmem_atomic_add(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    int*: shmem_ctx_int_atomic_add, \
    const int*: shmem_ctx_int_atomic_add, \
    long*: shmem_ctx_long_atomic_add, \
    const long*: shmem_ctx_long_atomic_add, \
    long long*: shmem_ctx_longlong_atomic_add, \
    const long long*: shmem_ctx_longlong_atomic_add, \
    unsigned int*: shmem_ctx_uint_atomic_add, \
    const unsigned int*: shmem_ctx_uint_atomic_add, \
    unsigned long*: shmem_ctx_ulong_atomic_add, \
    const unsigned long*: shmem_ctx_ulong_atomic_add, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_add, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_add, \
    default: shmem_no_such_type), \
    int*: shmem_int_atomic_add, \
    const int*: shmem_int_atomic_add, \
    long*: shmem_long_atomic_add, \
    const long*: shmem_long_atomic_add, \
    long long*: shmem_longlong_atomic_add, \
    const long long*: shmem_longlong_atomic_add, \
    unsigned int*: shmem_uint_atomic_add, \
    const unsigned int*: shmem_uint_atomic_add, \
    unsigned long*: shmem_ulong_atomic_add, \
    const unsigned long*: shmem_ulong_atomic_add, \
    unsigned long long*: shmem_ulonglong_atomic_add, \
    const unsigned long long*: shmem_ulonglong_atomic_add)(__VA_ARGS__)
#define shmem_atomic_fetch_and(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned int*: shmem_ctx_uint_atomic_fetch_and, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_and, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_and, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_and, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_and, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_and, \
    int*: shmem_ctx_int32_atomic_fetch_and, \
    const int*: shmem_ctx_int32_atomic_fetch_and, \
    long*: shmem_ctx_int64_atomic_fetch_and, \
    const long*: shmem_ctx_int64_atomic_fetch_and, \
    default: shmem_no_such_type), \
    unsigned int*: shmem_uint_atomic_fetch_and, \
    const unsigned int*: shmem_uint_atomic_fetch_and, \
    unsigned long*: shmem_ulong_atomic_fetch_and, \
    const unsigned long*: shmem_ulong_atomic_fetch_and, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_and, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_and, \
    int*: shmem_int32_atomic_fetch_and, \
    const int*: shmem_int32_atomic_fetch_and, \
    long*: shmem_int64_atomic_fetch_and, \
    const long*: shmem_int64_atomic_fetch_and)(__VA_ARGS__)
#define shmem_atomic_and(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned int*: shmem_ctx_uint_atomic_and, \
    const unsigned int*: shmem_ctx_uint_atomic_and, \
    unsigned long*: shmem_ctx_ulong_atomic_and, \
    const unsigned long*: shmem_ctx_ulong_atomic_and, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_and, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_and, \
    int*: shmem_ctx_int32_atomic_and, \
    const int*: shmem_ctx_int32_atomic_and, \
    long*: shmem_ctx_int64_atomic_and, \
    const long*: shmem_ctx_int64_atomic_and, \
    default: shmem_no_such_type), \
    unsigned int*: shmem_uint_atomic_and, \
    const unsigned int*: shmem_uint_atomic_and, \
    unsigned long*: shmem_ulong_atomic_and, \
    const unsigned long*: shmem_ulong_atomic_and, \
    unsigned long long*: shmem_ulonglong_atomic_and, \
    const unsigned long long*: shmem_ulonglong_atomic_and, \
    int*: shmem_int32_atomic_and, \
    const int*: shmem_int32_atomic_and, \
    long*: shmem_int64_atomic_and, \
    const long*: shmem_int64_atomic_and)(__VA_ARGS__)
#define shmem_atomic_fetch_or(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned int*: shmem_ctx_uint_atomic_fetch_or, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_or, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_or, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_or, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_or, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_or, \
    int*: shmem_ctx_int32_atomic_fetch_or, \
    const int*: shmem_ctx_int32_atomic_fetch_or, \
    long*: shmem_ctx_int64_atomic_fetch_or, \
    const long*: shmem_ctx_int64_atomic_fetch_or, \
    default: shmem_no_such_type), \
    unsigned int*: shmem_uint_atomic_fetch_or, \
    const unsigned int*: shmem_uint_atomic_fetch_or, \
    unsigned long*: shmem_ulong_atomic_fetch_or, \
    const unsigned long*: shmem_ulong_atomic_fetch_or, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_or, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_or, \
    int*: shmem_int32_atomic_fetch_or, \
    const int*: shmem_int32_atomic_fetch_or, \
    long*: shmem_int64_atomic_fetch_or, \
    const long*: shmem_int64_atomic_fetch_or)(__VA_ARGS__)
#define shmem_atomic_or(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned int*: shmem_ctx_uint_atomic_or, \
    const unsigned int*: shmem_ctx_uint_atomic_or, \
    unsigned long*: shmem_ctx_ulong_atomic_or, \
    const unsigned long*: shmem_ctx_ulong_atomic_or, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_or, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_or, \
    int*: shmem_ctx_int32_atomic_or, \
    const int*: shmem_ctx_int32_atomic_or, \
    long*: shmem_ctx_int64_atomic_or, \
    const long*: shmem_ctx_int64_atomic_or, \
    default: shmem_no_such_type), \
    unsigned int*: shmem_uint_atomic_or, \
    const unsigned int*: shmem_uint_atomic_or, \
    unsigned long*: shmem_ulong_atomic_or, \
    const unsigned long*: shmem_ulong_atomic_or, \
    unsigned long long*: shmem_ulonglong_atomic_or, \
    const unsigned long long*: shmem_ulonglong_atomic_or, \
    int*: shmem_int32_atomic_or, \
    const int*: shmem_int32_atomic_or, \
    long*: shmem_int64_atomic_or, \
    const long*: shmem_int64_atomic_or)(__VA_ARGS__)
#define shmem_atomic_fetch_xor(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned int*: shmem_ctx_uint_atomic_fetch_xor, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_xor, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_xor, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_xor, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_xor, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_xor, \
    int*: shmem_ctx_int32_atomic_fetch_xor, \
    const int*: shmem_ctx_int32_atomic_fetch_xor, \
    long*: shmem_ctx_int64_atomic_fetch_xor, \
    const long*: shmem_ctx_int64_atomic_fetch_xor, \
    default: shmem_no_such_type), \
    unsigned int*: shmem_uint_atomic_fetch_xor, \
    const unsigned int*: shmem_uint_atomic_fetch_xor, \
    unsigned long*: shmem_ulong_atomic_fetch_xor, \
    const unsigned long*: shmem_ulong_atomic_fetch_xor, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_xor, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_xor, \
    int*: shmem_int32_atomic_fetch_xor, \
    const int*: shmem_int32_atomic_fetch_xor, \
    long*: shmem_int64_atomic_fetch_xor, \
    const long*: shmem_int64_atomic_fetch_xor)(__VA_ARGS__)
#define shmem_atomic_xor(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned int*: shmem_ctx_uint_atomic_xor, \
    const unsigned int*: shmem_ctx_uint_atomic_xor, \
    unsigned long*: shmem_ctx_ulong_atomic_xor, \
    const unsigned long*: shmem_ctx_ulong_atomic_xor, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_xor, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_xor, \
    int*: shmem_ctx_int32_atomic_xor, \
    const int*: shmem_ctx_int32_atomic_xor, \
    long*: shmem_ctx_int64_atomic_xor, \
    const long*: shmem_ctx_int64_atomic_xor, \
    default: shmem_no_such_type), \
    unsigned int*: shmem_uint_atomic_xor, \
    const unsigned int*: shmem_uint_atomic_xor, \
    unsigned long*: shmem_ulong_atomic_xor, \
    const unsigned long*: shmem_ulong_atomic_xor, \
    unsigned long long*: shmem_ulonglong_atomic_xor, \
    const unsigned long long*: shmem_ulonglong_atomic_xor, \
    int*: shmem_int32_atomic_xor, \
    const int*: shmem_int32_atomic_xor, \
    long*: shmem_int64_atomic_xor, \
    const long*: shmem_int64_atomic_xor)(__VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_atomic_fetch_nbi, \
    const float*: shmem_ctx_float_atomic_fetch_nbi, \
    double*: shmem_ctx_double_atomic_fetch_nbi, \
    const double*: shmem_ctx_double_atomic_fetch_nbi, \
    int*: shmem_ctx_int_atomic_fetch_nbi, \
    const int*: shmem_ctx_int_atomic_fetch_nbi, \
    long*: shmem_ctx_long_atomic_fetch_nbi, \
    const long*: shmem_ctx_long_atomic_fetch_nbi, \
    long long*: shmem_ctx_longlong_atomic_fetch_nbi, \
    const long long*: shmem_ctx_longlong_atomic_fetch_nbi, \
    unsigned int*: shmem_ctx_uint_atomic_fetch_nbi, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_nbi, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_nbi, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_nbi, \
    default: shmem_no_such_type), \
    float*: shmem_float_atomic_fetch_nbi, \
    const float*: shmem_float_atomic_fetch_nbi, \
    double*: shmem_double_atomic_fetch_nbi, \
    const double*: shmem_double_atomic_fetch_nbi, \
    int*: shmem_int_atomic_fetch_nbi, \
    const int*: shmem_int_atomic_fetch_nbi, \
    long*: shmem_long_atomic_fetch_nbi, \
    const long*: shmem_long_atomic_fetch_nbi, \
    long long*: shmem_longlong_atomic_fetch_nbi, \
    const long long*: shmem_longlong_atomic_fetch_nbi, \
    unsigned int*: shmem_uint_atomic_fetch_nbi, \
    const unsigned int*: shmem_uint_atomic_fetch_nbi, \
    unsigned long*: shmem_ulong_atomic_fetch_nbi, \
    const unsigned long*: shmem_ulong_atomic_fetch_nbi, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_nbi, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_nbi)(__VA_ARGS__)
#define shmem_atomic_swap_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_ctx_float_atomic_swap_nbi, \
    const float*: shmem_ctx_float_atomic_swap_nbi, \
    double*: shmem_ctx_double_atomic_swap_nbi, \
    const double*: shmem_ctx_double_atomic_swap_nbi, \
    int*: shmem_ctx_int_atomic_swap_nbi, \
    const int*: shmem_ctx_int_atomic_swap_nbi, \
    long*: shmem_ctx_long_atomic_swap_nbi, \
    const long*: shmem_ctx_long_atomic_swap_nbi, \
    long long*: shmem_ctx_longlong_atomic_swap_nbi, \
    const long long*: shmem_ctx_longlong_atomic_swap_nbi, \
    unsigned int*: shmem_ctx_uint_atomic_swap_nbi, \
    const unsigned int*: shmem_ctx_uint_atomic_swap_nbi, \
    unsigned long*: shmem_ctx_ulong_atomic_swap_nbi, \
    const unsigned long*: shmem_ctx_ulong_atomic_swap_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_swap_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_swap_nbi, \
    default: shmem_no_such_type), \
    float*: shmem_float_atomic_swap_nbi, \
    const float*: shmem_float_atomic_swap_nbi, \
    double*: shmem_double_atomic_swap_nbi, \
    const double*: shmem_double_atomic_swap_nbi, \
    int*: shmem_int_atomic_swap_nbi, \
    const int*: shmem_int_atomic_swap_nbi, \
    long*: shmem_long_atomic_swap_nbi, \
    const long*: shmem_long_atomic_swap_nbi, \
    long long*: shmem_longlong_atomic_swap_nbi, \
    const long long*: shmem_longlong_atomic_swap_nbi, \
    unsigned int*: shmem_uint_atomic_swap_nbi, \
    const unsigned int*: shmem_uint_atomic_swap_nbi, \
    unsigned long*: shmem_ulong_atomic_swap_nbi, \
    const unsigned long*: shmem_ulong_atomic_swap_nbi, \
    unsigned long long*: shmem_ulonglong_atomic_swap_nbi, \
    const unsigned long long*: shmem_ulonglong_atomic_swap_nbi)(__VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    int*: shmem_ctx_int_atomic_compare_swap_nbi, \
    const int*: shmem_ctx_int_atomic_compare_swap_nbi, \
    long*: shmem_ctx_long_atomic_compare_swap_nbi, \
    const long*: shmem_ctx_long_atomic_compare_swap_nbi, \
    long long*: shmem_ctx_longlong_atomic_compare_swap_nbi, \
    const long long*: shmem_ctx_longlong_atomic_compare_swap_nbi, \
    unsigned int*: shmem_ctx_uint_atomic_compare_swap_nbi, \
    const unsigned int*: shmem_ctx_uint_atomic_compare_swap_nbi, \
    unsigned long*: shmem_ctx_ulong_atomic_compare_swap_nbi, \
    const unsigned long*: shmem_ctx_ulong_atomic_compare_swap_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_compare_swap_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_compare_swap_nbi, \
    default: shmem_no_such_type), \
    int*: shmem_int_atomic_compare_swap_nbi, \
    const int*: shmem_int_atomic_compare_swap_nbi, \
    long*: shmem_long_atomic_compare_swap_nbi, \
    const long*: shmem_long_atomic_compare_swap_nbi, \
    long long*: shmem_longlong_atomic_compare_swap_nbi, \
    const long long*: shmem_longlong_atomic_compare_swap_nbi, \
    unsigned int*: shmem_uint_atomic_compare_swap_nbi, \
    const unsigned int*: shmem_uint_atomic_compare_swap_nbi, \
    unsigned long*: shmem_ulong_atomic_compare_swap_nbi, \
    const unsigned long*: shmem_ulong_atomic_compare_swap_nbi, \
    unsigned long long*: shmem_ulonglong_atomic_compare_swap_nbi, \
    const unsigned long long*: shmem_ulonglong_atomic_compare_swap_nbi)(__VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    int*: shmem_ctx_int_atomic_fetch_inc_nbi, \
    const int*: shmem_ctx_int_atomic_fetch_inc_nbi, \
    long*: shmem_ctx_long_atomic_fetch_inc_nbi, \
    const long*: shmem_ctx_long_atomic_fetch_inc_nbi, \
    long long*: shmem_ctx_longlong_atomic_fetch_inc_nbi, \
    const long long*: shmem_ctx_longlong_atomic_fetch_inc_nbi, \
    unsigned int*: shmem_ctx_uint_atomic_fetch_inc_nbi, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_inc_nbi, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_inc_nbi, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_inc_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_inc_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_inc_nbi, \
    default: shmem_no_such_type), \
    int*: shmem_int_atomic_fetch_inc_nbi, \
    const int*: shmem_int_atomic_fetch_inc_nbi, \
    long*: shmem_long_atomic_fetch_inc_nbi, \
    const long*: shmem_long_atomic_fetch_inc_nbi, \
    long long*: shmem_longlong_atomic_fetch_inc_nbi, \
    const long long*: shmem_longlong_atomic_fetch_inc_nbi, \
    unsigned int*: shmem_uint_atomic_fetch_inc_nbi, \
    const unsigned int*: shmem_uint_atomic_fetch_inc_nbi, \
    unsigned long*: shmem_ulong_atomic_fetch_inc_nbi, \
    const unsigned long*: shmem_ulong_atomic_fetch_inc_nbi, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_inc_nbi, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_inc_nbi)(__VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    int*: shmem_ctx_int_atomic_fetch_add_nbi, \
    const int*: shmem_ctx_int_atomic_fetch_add_nbi, \
    long*: shmem_ctx_long_atomic_fetch_add_nbi, \
    const long*: shmem_ctx_long_atomic_fetch_add_nbi, \
    long long*: shmem_ctx_longlong_atomic_fetch_add_nbi, \
    const long long*: shmem_ctx_longlong_atomic_fetch_add_nbi, \
    unsigned int*: shmem_ctx_uint_atomic_fetch_add_nbi, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_add_nbi, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_add_nbi, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_add_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_add_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_add_nbi, \
    default: shmem_no_such_type), \
    int*: shmem_int_atomic_fetch_add_nbi, \
    const int*: shmem_int_atomic_fetch_add_nbi, \
    long*: shmem_long_atomic_fetch_add_nbi, \
    const long*: shmem_long_atomic_fetch_add_nbi, \
    long long*: shmem_longlong_atomic_fetch_add_nbi, \
    const long long*: shmem_longlong_atomic_fetch_add_nbi, \
    unsigned int*: shmem_uint_atomic_fetch_add_nbi, \
    const unsigned int*: shmem_uint_atomic_fetch_add_nbi, \
    unsigned long*: shmem_ulong_atomic_fetch_add_nbi, \
    const unsigned long*: shmem_ulong_atomic_fetch_add_nbi, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_add_nbi, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_add_nbi)(__VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned int*: shmem_ctx_uint_atomic_fetch_and_nbi, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_and_nbi, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_and_nbi, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_and_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_and_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_and_nbi, \
    int*: shmem_ctx_int32_atomic_fetch_and_nbi, \
    const int*: shmem_ctx_int32_atomic_fetch_and_nbi, \
    long*: shmem_ctx_int64_atomic_fetch_and_nbi, \
    const long*: shmem_ctx_int64_atomic_fetch_and_nbi, \
    default: shmem_no_such_type), \
    unsigned int*: shmem_uint_atomic_fetch_and_nbi, \
    const unsigned int*: shmem_uint_atomic_fetch_and_nbi, \
    unsigned long*: shmem_ulong_atomic_fetch_and_nbi, \
    const unsigned long*: shmem_ulong_atomic_fetch_and_nbi, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_and_nbi, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_and_nbi, \
    int*: shmem_int32_atomic_fetch_and_nbi, \
    const int*: shmem_int32_atomic_fetch_and_nbi, \
    long*: shmem_int64_atomic_fetch_and_nbi, \
    const long*: shmem_int64_atomic_fetch_and_nbi)(__VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned int*: shmem_ctx_uint_atomic_fetch_or_nbi, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_or_nbi, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_or_nbi, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_or_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_or_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_or_nbi, \
    int*: shmem_ctx_int32_atomic_fetch_or_nbi, \
    const int*: shmem_ctx_int32_atomic_fetch_or_nbi, \
    long*: shmem_ctx_int64_atomic_fetch_or_nbi, \
    const long*: shmem_ctx_int64_atomic_fetch_or_nbi, \
    default: shmem_no_such_type), \
    unsigned int*: shmem_uint_atomic_fetch_or_nbi, \
    const unsigned int*: shmem_uint_atomic_fetch_or_nbi, \
    unsigned long*: shmem_ulong_atomic_fetch_or_nbi, \
    const unsigned long*: shmem_ulong_atomic_fetch_or_nbi, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_or_nbi, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_or_nbi, \
    int*: shmem_int32_atomic_fetch_or_nbi, \
    const int*: shmem_int32_atomic_fetch_or_nbi, \
    long*: shmem_int64_atomic_fetch_or_nbi, \
    const long*: shmem_int64_atomic_fetch_or_nbi)(__VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    shmem_ctx_t: _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned int*: shmem_ctx_uint_atomic_fetch_xor_nbi, \
    const unsigned int*: shmem_ctx_uint_atomic_fetch_xor_nbi, \
    unsigned long*: shmem_ctx_ulong_atomic_fetch_xor_nbi, \
    const unsigned long*: shmem_ctx_ulong_atomic_fetch_xor_nbi, \
    unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_xor_nbi, \
    const unsigned long long*: shmem_ctx_ulonglong_atomic_fetch_xor_nbi, \
    int*: shmem_ctx_int32_atomic_fetch_xor_nbi, \
    const int*: shmem_ctx_int32_atomic_fetch_xor_nbi, \
    long*: shmem_ctx_int64_atomic_fetch_xor_nbi, \
    const long*: shmem_ctx_int64_atomic_fetch_xor_nbi, \
    default: shmem_no_such_type), \
    unsigned int*: shmem_uint_atomic_fetch_xor_nbi, \
    const unsigned int*: shmem_uint_atomic_fetch_xor_nbi, \
    unsigned long*: shmem_ulong_atomic_fetch_xor_nbi, \
    const unsigned long*: shmem_ulong_atomic_fetch_xor_nbi, \
    unsigned long long*: shmem_ulonglong_atomic_fetch_xor_nbi, \
    const unsigned long long*: shmem_ulonglong_atomic_fetch_xor_nbi, \
    int*: shmem_int32_atomic_fetch_xor_nbi, \
    const int*: shmem_int32_atomic_fetch_xor_nbi, \
    long*: shmem_int64_atomic_fetch_xor_nbi, \
    const long*: shmem_int64_atomic_fetch_xor_nbi)(__VA_ARGS__)
#define shmem_wait_until(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_wait_until, \
    const short*: shmem_short_wait_until, \
    int*: shmem_int_wait_until, \
    const int*: shmem_int_wait_until, \
    long*: shmem_long_wait_until, \
    const long*: shmem_long_wait_until, \
    long long*: shmem_longlong_wait_until, \
    const long long*: shmem_longlong_wait_until, \
    unsigned short*: shmem_ushort_wait_until, \
    const unsigned short*: shmem_ushort_wait_until, \
    unsigned int*: shmem_uint_wait_until, \
    const unsigned int*: shmem_uint_wait_until, \
    unsigned long*: shmem_ulong_wait_until, \
    const unsigned long*: shmem_ulong_wait_until, \
    unsigned long long*: shmem_ulonglong_wait_until, \
    const unsigned long long*: shmem_ulonglong_wait_until)(__VA_ARGS__)
#define shmem_wait_until_all(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_wait_until_all, \
    const short*: shmem_short_wait_until_all, \
    int*: shmem_int_wait_until_all, \
    const int*: shmem_int_wait_until_all, \
    long*: shmem_long_wait_until_all, \
    const long*: shmem_long_wait_until_all, \
    long long*: shmem_longlong_wait_until_all, \
    const long long*: shmem_longlong_wait_until_all, \
    unsigned short*: shmem_ushort_wait_until_all, \
    const unsigned short*: shmem_ushort_wait_until_all, \
    unsigned int*: shmem_uint_wait_until_all, \
    const unsigned int*: shmem_uint_wait_until_all, \
    unsigned long*: shmem_ulong_wait_until_all, \
    const unsigned long*: shmem_ulong_wait_until_all, \
    unsigned long long*: shmem_ulonglong_wait_until_all, \
    const unsigned long long*: shmem_ulonglong_wait_until_all)(__VA_ARGS__)
#define shmem_wait_until_any(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_wait_until_any, \
    const short*: shmem_short_wait_until_any, \
    int*: shmem_int_wait_until_any, \
    const int*: shmem_int_wait_until_any, \
    long*: shmem_long_wait_until_any, \
    const long*: shmem_long_wait_until_any, \
    long long*: shmem_longlong_wait_until_any, \
    const long long*: shmem_longlong_wait_until_any, \
    unsigned short*: shmem_ushort_wait_until_any, \
    const unsigned short*: shmem_ushort_wait_until_any, \
    unsigned int*: shmem_uint_wait_until_any, \
    const unsigned int*: shmem_uint_wait_until_any, \
    unsigned long*: shmem_ulong_wait_until_any, \
    const unsigned long*: shmem_ulong_wait_until_any, \
    unsigned long long*: shmem_ulonglong_wait_until_any, \
    const unsigned long long*: shmem_ulonglong_wait_until_any)(__VA_ARGS__)
#define shmem_wait_until_some(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_wait_until_some, \
    const short*: shmem_short_wait_until_some, \
    int*: shmem_int_wait_until_some, \
    const int*: shmem_int_wait_until_some, \
    long*: shmem_long_wait_until_some, \
    const long*: shmem_long_wait_until_some, \
    long long*: shmem_longlong_wait_until_some, \
    const long long*: shmem_longlong_wait_until_some, \
    unsigned short*: shmem_ushort_wait_until_some, \
    const unsigned short*: shmem_ushort_wait_until_some, \
    unsigned int*: shmem_uint_wait_until_some, \
    const unsigned int*: shmem_uint_wait_until_some, \
    unsigned long*: shmem_ulong_wait_until_some, \
    const unsigned long*: shmem_ulong_wait_until_some, \
    unsigned long long*: shmem_ulonglong_wait_until_some, \
    const unsigned long long*: shmem_ulonglong_wait_until_some)(__VA_ARGS__)
#define shmem_wait_until_all_vector(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_wait_until_all_vector, \
    const short*: shmem_short_wait_until_all_vector, \
    int*: shmem_int_wait_until_all_vector, \
    const int*: shmem_int_wait_until_all_vector, \
    long*: shmem_long_wait_until_all_vector, \
    const long*: shmem_long_wait_until_all_vector, \
    long long*: shmem_longlong_wait_until_all_vector, \
    const long long*: shmem_longlong_wait_until_all_vector, \
    unsigned short*: shmem_ushort_wait_until_all_vector, \
    const unsigned short*: shmem_ushort_wait_until_all_vector, \
    unsigned int*: shmem_uint_wait_until_all_vector, \
    const unsigned int*: shmem_uint_wait_until_all_vector, \
    unsigned long*: shmem_ulong_wait_until_all_vector, \
    const unsigned long*: shmem_ulong_wait_until_all_vector, \
    unsigned long long*: shmem_ulonglong_wait_until_all_vector, \
    const unsigned long long*: shmem_ulonglong_wait_until_all_vector)(__VA_ARGS__)
#define shmem_wait_until_any_vector(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_wait_until_any_vector, \
    const short*: shmem_short_wait_until_any_vector, \
    int*: shmem_int_wait_until_any_vector, \
    const int*: shmem_int_wait_until_any_vector, \
    long*: shmem_long_wait_until_any_vector, \
    const long*: shmem_long_wait_until_any_vector, \
    long long*: shmem_longlong_wait_until_any_vector, \
    const long long*: shmem_longlong_wait_until_any_vector, \
    unsigned short*: shmem_ushort_wait_until_any_vector, \
    const unsigned short*: shmem_ushort_wait_until_any_vector, \
    unsigned int*: shmem_uint_wait_until_any_vector, \
    const unsigned int*: shmem_uint_wait_until_any_vector, \
    unsigned long*: shmem_ulong_wait_until_any_vector, \
    const unsigned long*: shmem_ulong_wait_until_any_vector, \
    unsigned long long*: shmem_ulonglong_wait_until_any_vector, \
    const unsigned long long*: shmem_ulonglong_wait_until_any_vector)(__VA_ARGS__)
#define shmem_wait_until_some_vector(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_wait_until_some_vector, \
    const short*: shmem_short_wait_until_some_vector, \
    int*: shmem_int_wait_until_some_vector, \
    const int*: shmem_int_wait_until_some_vector, \
    long*: shmem_long_wait_until_some_vector, \
    const long*: shmem_long_wait_until_some_vector, \
    long long*: shmem_longlong_wait_until_some_vector, \
    const long long*: shmem_longlong_wait_until_some_vector, \
    unsigned short*: shmem_ushort_wait_until_some_vector, \
    const unsigned short*: shmem_ushort_wait_until_some_vector, \
    unsigned int*: shmem_uint_wait_until_some_vector, \
    const unsigned int*: shmem_uint_wait_until_some_vector, \
    unsigned long*: shmem_ulong_wait_until_some_vector, \
    const unsigned long*: shmem_ulong_wait_until_some_vector, \
    unsigned long long*: shmem_ulonglong_wait_until_some_vector, \
    const unsigned long long*: shmem_ulonglong_wait_until_some_vector)(__VA_ARGS__)
#define shmem_test(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_test, \
    const short*: shmem_short_test, \
    int*: shmem_int_test, \
    const int*: shmem_int_test, \
    long*: shmem_long_test, \
    const long*: shmem_long_test, \
    long long*: shmem_longlong_test, \
    const long long*: shmem_longlong_test, \
    unsigned short*: shmem_ushort_test, \
    const unsigned short*: shmem_ushort_test, \
    unsigned int*: shmem_uint_test, \
    const unsigned int*: shmem_uint_test, \
    unsigned long*: shmem_ulong_test, \
    const unsigned long*: shmem_ulong_test, \
    unsigned long long*: shmem_ulonglong_test, \
    const unsigned long long*: shmem_ulonglong_test)(__VA_ARGS__)
#define shmem_test_all(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_test_all, \
    const short*: shmem_short_test_all, \
    int*: shmem_int_test_all, \
    const int*: shmem_int_test_all, \
    long*: shmem_long_test_all, \
    const long*: shmem_long_test_all, \
    long long*: shmem_longlong_test_all, \
    const long long*: shmem_longlong_test_all, \
    unsigned short*: shmem_ushort_test_all, \
    const unsigned short*: shmem_ushort_test_all, \
    unsigned int*: shmem_uint_test_all, \
    const unsigned int*: shmem_uint_test_all, \
    unsigned long*: shmem_ulong_test_all, \
    const unsigned long*: shmem_ulong_test_all, \
    unsigned long long*: shmem_ulonglong_test_all, \
    const unsigned long long*: shmem_ulonglong_test_all)(__VA_ARGS__)
#define shmem_test_any(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_test_any, \
    const short*: shmem_short_test_any, \
    int*: shmem_int_test_any, \
    const int*: shmem_int_test_any, \
    long*: shmem_long_test_any, \
    const long*: shmem_long_test_any, \
    long long*: shmem_longlong_test_any, \
    const long long*: shmem_longlong_test_any, \
    unsigned short*: shmem_ushort_test_any, \
    const unsigned short*: shmem_ushort_test_any, \
    unsigned int*: shmem_uint_test_any, \
    const unsigned int*: shmem_uint_test_any, \
    unsigned long*: shmem_ulong_test_any, \
    const unsigned long*: shmem_ulong_test_any, \
    unsigned long long*: shmem_ulonglong_test_any, \
    const unsigned long long*: shmem_ulonglong_test_any)(__VA_ARGS__)
#define shmem_test_some(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_test_some, \
    const short*: shmem_short_test_some, \
    int*: shmem_int_test_some, \
    const int*: shmem_int_test_some, \
    long*: shmem_long_test_some, \
    const long*: shmem_long_test_some, \
    long long*: shmem_longlong_test_some, \
    const long long*: shmem_longlong_test_some, \
    unsigned short*: shmem_ushort_test_some, \
    const unsigned short*: shmem_ushort_test_some, \
    unsigned int*: shmem_uint_test_some, \
    const unsigned int*: shmem_uint_test_some, \
    unsigned long*: shmem_ulong_test_some, \
    const unsigned long*: shmem_ulong_test_some, \
    unsigned long long*: shmem_ulonglong_test_some, \
    const unsigned long long*: shmem_ulonglong_test_some)(__VA_ARGS__)
#define shmem_test_all_vector(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_test_all_vector, \
    const short*: shmem_short_test_all_vector, \
    int*: shmem_int_test_all_vector, \
    const int*: shmem_int_test_all_vector, \
    long*: shmem_long_test_all_vector, \
    const long*: shmem_long_test_all_vector, \
    long long*: shmem_longlong_test_all_vector, \
    const long long*: shmem_longlong_test_all_vector, \
    unsigned short*: shmem_ushort_test_all_vector, \
    const unsigned short*: shmem_ushort_test_all_vector, \
    unsigned int*: shmem_uint_test_all_vector, \
    const unsigned int*: shmem_uint_test_all_vector, \
    unsigned long*: shmem_ulong_test_all_vector, \
    const unsigned long*: shmem_ulong_test_all_vector, \
    unsigned long long*: shmem_ulonglong_test_all_vector, \
    const unsigned long long*: shmem_ulonglong_test_all_vector)(__VA_ARGS__)
#define shmem_test_any_vector(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_test_any_vector, \
    const short*: shmem_short_test_any_vector, \
    int*: shmem_int_test_any_vector, \
    const int*: shmem_int_test_any_vector, \
    long*: shmem_long_test_any_vector, \
    const long*: shmem_long_test_any_vector, \
    long long*: shmem_longlong_test_any_vector, \
    const long long*: shmem_longlong_test_any_vector, \
    unsigned short*: shmem_ushort_test_any_vector, \
    const unsigned short*: shmem_ushort_test_any_vector, \
    unsigned int*: shmem_uint_test_any_vector, \
    const unsigned int*: shmem_uint_test_any_vector, \
    unsigned long*: shmem_ulong_test_any_vector, \
    const unsigned long*: shmem_ulong_test_any_vector, \
    unsigned long long*: shmem_ulonglong_test_any_vector, \
    const unsigned long long*: shmem_ulonglong_test_any_vector)(__VA_ARGS__)
#define shmem_test_some_vector(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_test_some_vector, \
    const short*: shmem_short_test_some_vector, \
    int*: shmem_int_test_some_vector, \
    const int*: shmem_int_test_some_vector, \
    long*: shmem_long_test_some_vector, \
    const long*: shmem_long_test_some_vector, \
    long long*: shmem_longlong_test_some_vector, \
    const long long*: shmem_longlong_test_some_vector, \
    unsigned short*: shmem_ushort_test_some_vector, \
    const unsigned short*: shmem_ushort_test_some_vector, \
    unsigned int*: shmem_uint_test_some_vector, \
    const unsigned int*: shmem_uint_test_some_vector, \
    unsigned long*: shmem_ulong_test_some_vector, \
    const unsigned long*: shmem_ulong_test_some_vector, \
    unsigned long long*: shmem_ulonglong_test_some_vector, \
    const unsigned long long*: shmem_ulonglong_test_some_vector)(__VA_ARGS__)
#define shmem_broadcast(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_float_broadcast, \
    const float*: shmem_float_broadcast, \
    double*: shmem_double_broadcast, \
    const double*: shmem_double_broadcast, \
    long double*: shmem_longdouble_broadcast, \
    const long double*: shmem_longdouble_broadcast, \
    char*: shmem_char_broadcast, \
    const char*: shmem_char_broadcast, \
    signed char*: shmem_schar_broadcast, \
    const signed char*: shmem_schar_broadcast, \
    short*: shmem_short_broadcast, \
    const short*: shmem_short_broadcast, \
    int*: shmem_int_broadcast, \
    const int*: shmem_int_broadcast, \
    long*: shmem_long_broadcast, \
    const long*: shmem_long_broadcast, \
    long long*: shmem_longlong_broadcast, \
    const long long*: shmem_longlong_broadcast, \
    unsigned char*: shmem_uchar_broadcast, \
    const unsigned char*: shmem_uchar_broadcast, \
    unsigned short*: shmem_ushort_broadcast, \
    const unsigned short*: shmem_ushort_broadcast, \
    unsigned int*: shmem_uint_broadcast, \
    const unsigned int*: shmem_uint_broadcast, \
    unsigned long*: shmem_ulong_broadcast, \
    const unsigned long*: shmem_ulong_broadcast, \
    unsigned long long*: shmem_ulonglong_broadcast, \
    const unsigned long long*: shmem_ulonglong_broadcast)(__VA_ARGS__)
#define shmem_collect(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_float_collect, \
    const float*: shmem_float_collect, \
    double*: shmem_double_collect, \
    const double*: shmem_double_collect, \
    long double*: shmem_longdouble_collect, \
    const long double*: shmem_longdouble_collect, \
    char*: shmem_char_collect, \
    const char*: shmem_char_collect, \
    signed char*: shmem_schar_collect, \
    const signed char*: shmem_schar_collect, \
    short*: shmem_short_collect, \
    const short*: shmem_short_collect, \
    int*: shmem_int_collect, \
    const int*: shmem_int_collect, \
    long*: shmem_long_collect, \
    const long*: shmem_long_collect, \
    long long*: shmem_longlong_collect, \
    const long long*: shmem_longlong_collect, \
    unsigned char*: shmem_uchar_collect, \
    const unsigned char*: shmem_uchar_collect, \
    unsigned short*: shmem_ushort_collect, \
    const unsigned short*: shmem_ushort_collect, \
    unsigned int*: shmem_uint_collect, \
    const unsigned int*: shmem_uint_collect, \
    unsigned long*: shmem_ulong_collect, \
    const unsigned long*: shmem_ulong_collect, \
    unsigned long long*: shmem_ulonglong_collect, \
    const unsigned long long*: shmem_ulonglong_collect)(__VA_ARGS__)
#define shmem_fcollect(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_float_fcollect, \
    const float*: shmem_float_fcollect, \
    double*: shmem_double_fcollect, \
    const double*: shmem_double_fcollect, \
    long double*: shmem_longdouble_fcollect, \
    const long double*: shmem_longdouble_fcollect, \
    char*: shmem_char_fcollect, \
    const char*: shmem_char_fcollect, \
    signed char*: shmem_schar_fcollect, \
    const signed char*: shmem_schar_fcollect, \
    short*: shmem_short_fcollect, \
    const short*: shmem_short_fcollect, \
    int*: shmem_int_fcollect, \
    const int*: shmem_int_fcollect, \
    long*: shmem_long_fcollect, \
    const long*: shmem_long_fcollect, \
    long long*: shmem_longlong_fcollect, \
    const long long*: shmem_longlong_fcollect, \
    unsigned char*: shmem_uchar_fcollect, \
    const unsigned char*: shmem_uchar_fcollect, \
    unsigned short*: shmem_ushort_fcollect, \
    const unsigned short*: shmem_ushort_fcollect, \
    unsigned int*: shmem_uint_fcollect, \
    const unsigned int*: shmem_uint_fcollect, \
    unsigned long*: shmem_ulong_fcollect, \
    const unsigned long*: shmem_ulong_fcollect, \
    unsigned long long*: shmem_ulonglong_fcollect, \
    const unsigned long long*: shmem_ulonglong_fcollect)(__VA_ARGS__)
#define shmem_alltoall(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_float_alltoall, \
    const float*: shmem_float_alltoall, \
    double*: shmem_double_alltoall, \
    const double*: shmem_double_alltoall, \
    long double*: shmem_longdouble_alltoall, \
    const long double*: shmem_longdouble_alltoall, \
    char*: shmem_char_alltoall, \
    const char*: shmem_char_alltoall, \
    signed char*: shmem_schar_alltoall, \
    const signed char*: shmem_schar_alltoall, \
    short*: shmem_short_alltoall, \
    const short*: shmem_short_alltoall, \
    int*: shmem_int_alltoall, \
    const int*: shmem_int_alltoall, \
    long*: shmem_long_alltoall, \
    const long*: shmem_long_alltoall, \
    long long*: shmem_longlong_alltoall, \
    const long long*: shmem_longlong_alltoall, \
    unsigned char*: shmem_uchar_alltoall, \
    const unsigned char*: shmem_uchar_alltoall, \
    unsigned short*: shmem_ushort_alltoall, \
    const unsigned short*: shmem_ushort_alltoall, \
    unsigned int*: shmem_uint_alltoall, \
    const unsigned int*: shmem_uint_alltoall, \
    unsigned long*: shmem_ulong_alltoall, \
    const unsigned long*: shmem_ulong_alltoall, \
    unsigned long long*: shmem_ulonglong_alltoall, \
    const unsigned long long*: shmem_ulonglong_alltoall)(__VA_ARGS__)
#define shmem_alltoalls(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_float_alltoalls, \
    const float*: shmem_float_alltoalls, \
    double*: shmem_double_alltoalls, \
    const double*: shmem_double_alltoalls, \
    long double*: shmem_longdouble_alltoalls, \
    const long double*: shmem_longdouble_alltoalls, \
    char*: shmem_char_alltoalls, \
    const char*: shmem_char_alltoalls, \
    signed char*: shmem_schar_alltoalls, \
    const signed char*: shmem_schar_alltoalls, \
    short*: shmem_short_alltoalls, \
    const short*: shmem_short_alltoalls, \
    int*: shmem_int_alltoalls, \
    const int*: shmem_int_alltoalls, \
    long*: shmem_long_alltoalls, \
    const long*: shmem_long_alltoalls, \
    long long*: shmem_longlong_alltoalls, \
    const long long*: shmem_longlong_alltoalls, \
    unsigned char*: shmem_uchar_alltoalls, \
    const unsigned char*: shmem_uchar_alltoalls, \
    unsigned short*: shmem_ushort_alltoalls, \
    const unsigned short*: shmem_ushort_alltoalls, \
    unsigned int*: shmem_uint_alltoalls, \
    const unsigned int*: shmem_uint_alltoalls, \
    unsigned long*: shmem_ulong_alltoalls, \
    const unsigned long*: shmem_ulong_alltoalls, \
    unsigned long long*: shmem_ulonglong_alltoalls, \
    const unsigned long long*: shmem_ulonglong_alltoalls)(__VA_ARGS__)
#define shmem_and_reduce(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned char*: shmem_uchar_and_reduce, \
    const unsigned char*: shmem_uchar_and_reduce, \
    unsigned short*: shmem_ushort_and_reduce, \
    const unsigned short*: shmem_ushort_and_reduce, \
    unsigned int*: shmem_uint_and_reduce, \
    const unsigned int*: shmem_uint_and_reduce, \
    unsigned long*: shmem_ulong_and_reduce, \
    const unsigned long*: shmem_ulong_and_reduce, \
    unsigned long long*: shmem_ulonglong_and_reduce, \
    const unsigned long long*: shmem_ulonglong_and_reduce, \
    signed char*: shmem_int8_and_reduce, \
    const signed char*: shmem_int8_and_reduce, \
    short*: shmem_int16_and_reduce, \
    const short*: shmem_int16_and_reduce, \
    int*: shmem_int32_and_reduce, \
    const int*: shmem_int32_and_reduce, \
    long*: shmem_int64_and_reduce, \
    const long*: shmem_int64_and_reduce)(__VA_ARGS__)
#define shmem_or_reduce(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned char*: shmem_uchar_or_reduce, \
    const unsigned char*: shmem_uchar_or_reduce, \
    unsigned short*: shmem_ushort_or_reduce, \
    const unsigned short*: shmem_ushort_or_reduce, \
    unsigned int*: shmem_uint_or_reduce, \
    const unsigned int*: shmem_uint_or_reduce, \
    unsigned long*: shmem_ulong_or_reduce, \
    const unsigned long*: shmem_ulong_or_reduce, \
    unsigned long long*: shmem_ulonglong_or_reduce, \
    const unsigned long long*: shmem_ulonglong_or_reduce, \
    signed char*: shmem_int8_or_reduce, \
    const signed char*: shmem_int8_or_reduce, \
    short*: shmem_int16_or_reduce, \
    const short*: shmem_int16_or_reduce, \
    int*: shmem_int32_or_reduce, \
    const int*: shmem_int32_or_reduce, \
    long*: shmem_int64_or_reduce, \
    const long*: shmem_int64_or_reduce)(__VA_ARGS__)
#define shmem_xor_reduce(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    unsigned char*: shmem_uchar_xor_reduce, \
    const unsigned char*: shmem_uchar_xor_reduce, \
    unsigned short*: shmem_ushort_xor_reduce, \
    const unsigned short*: shmem_ushort_xor_reduce, \
    unsigned int*: shmem_uint_xor_reduce, \
    const unsigned int*: shmem_uint_xor_reduce, \
    unsigned long*: shmem_ulong_xor_reduce, \
    const unsigned long*: shmem_ulong_xor_reduce, \
    unsigned long long*: shmem_ulonglong_xor_reduce, \
    const unsigned long long*: shmem_ulonglong_xor_reduce, \
    signed char*: shmem_int8_xor_reduce, \
    const signed char*: shmem_int8_xor_reduce, \
    short*: shmem_int16_xor_reduce, \
    const short*: shmem_int16_xor_reduce, \
    int*: shmem_int32_xor_reduce, \
    const int*: shmem_int32_xor_reduce, \
    long*: shmem_int64_xor_reduce, \
    const long*: shmem_int64_xor_reduce)(__VA_ARGS__)
#define shmem_max_reduce(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_float_max_reduce, \
    const float*: shmem_float_max_reduce, \
    double*: shmem_double_max_reduce, \
    const double*: shmem_double_max_reduce, \
    long double*: shmem_longdouble_max_reduce, \
    const long double*: shmem_longdouble_max_reduce, \
    char*: shmem_char_max_reduce, \
    const char*: shmem_char_max_reduce, \
    signed char*: shmem_schar_max_reduce, \
    const signed char*: shmem_schar_max_reduce, \
    short*: shmem_short_max_reduce, \
    const short*: shmem_short_max_reduce, \
    int*: shmem_int_max_reduce, \
    const int*: shmem_int_max_reduce, \
    long*: shmem_long_max_reduce, \
    const long*: shmem_long_max_reduce, \
    long long*: shmem_longlong_max_reduce, \
    const long long*: shmem_longlong_max_reduce, \
    unsigned char*: shmem_uchar_max_reduce, \
    const unsigned char*: shmem_uchar_max_reduce, \
    unsigned short*: shmem_ushort_max_reduce, \
    const unsigned short*: shmem_ushort_max_reduce, \
    unsigned int*: shmem_uint_max_reduce, \
    const unsigned int*: shmem_uint_max_reduce, \
    unsigned long*: shmem_ulong_max_reduce, \
    const unsigned long*: shmem_ulong_max_reduce, \
    unsigned long long*: shmem_ulonglong_max_reduce, \
    const unsigned long long*: shmem_ulonglong_max_reduce)(__VA_ARGS__)
#define shmem_min_reduce(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_float_min_reduce, \
    const float*: shmem_float_min_reduce, \
    double*: shmem_double_min_reduce, \
    const double*: shmem_double_min_reduce, \
    long double*: shmem_longdouble_min_reduce, \
    const long double*: shmem_longdouble_min_reduce, \
    char*: shmem_char_min_reduce, \
    const char*: shmem_char_min_reduce, \
    signed char*: shmem_schar_min_reduce, \
    const signed char*: shmem_schar_min_reduce, \
    short*: shmem_short_min_reduce, \
    const short*: shmem_short_min_reduce, \
    int*: shmem_int_min_reduce, \
    const int*: shmem_int_min_reduce, \
    long*: shmem_long_min_reduce, \
    const long*: shmem_long_min_reduce, \
    long long*: shmem_longlong_min_reduce, \
    const long long*: shmem_longlong_min_reduce, \
    unsigned char*: shmem_uchar_min_reduce, \
    const unsigned char*: shmem_uchar_min_reduce, \
    unsigned short*: shmem_ushort_min_reduce, \
    const unsigned short*: shmem_ushort_min_reduce, \
    unsigned int*: shmem_uint_min_reduce, \
    const unsigned int*: shmem_uint_min_reduce, \
    unsigned long*: shmem_ulong_min_reduce, \
    const unsigned long*: shmem_ulong_min_reduce, \
    unsigned long long*: shmem_ulonglong_min_reduce, \
    const unsigned long long*: shmem_ulonglong_min_reduce)(__VA_ARGS__)
#define shmem_sum_reduce(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_float_sum_reduce, \
    const float*: shmem_float_sum_reduce, \
    double*: shmem_double_sum_reduce, \
    const double*: shmem_double_sum_reduce, \
    long double*: shmem_longdouble_sum_reduce, \
    const long double*: shmem_longdouble_sum_reduce, \
    char*: shmem_char_sum_reduce, \
    const char*: shmem_char_sum_reduce, \
    signed char*: shmem_schar_sum_reduce, \
    const signed char*: shmem_schar_sum_reduce, \
    short*: shmem_short_sum_reduce, \
    const short*: shmem_short_sum_reduce, \
    int*: shmem_int_sum_reduce, \
    const int*: shmem_int_sum_reduce, \
    long*: shmem_long_sum_reduce, \
    const long*: shmem_long_sum_reduce, \
    long long*: shmem_longlong_sum_reduce, \
    const long long*: shmem_longlong_sum_reduce, \
    unsigned char*: shmem_uchar_sum_reduce, \
    const unsigned char*: shmem_uchar_sum_reduce, \
    unsigned short*: shmem_ushort_sum_reduce, \
    const unsigned short*: shmem_ushort_sum_reduce, \
    unsigned int*: shmem_uint_sum_reduce, \
    const unsigned int*: shmem_uint_sum_reduce, \
    unsigned long*: shmem_ulong_sum_reduce, \
    const unsigned long*: shmem_ulong_sum_reduce, \
    unsigned long long*: shmem_ulonglong_sum_reduce, \
    const unsigned long long*: shmem_ulonglong_sum_reduce, \
    double _Complex*: shmem_complexd_sum_reduce, \
    const double _Complex*: shmem_complexd_sum_reduce, \
    float _Complex*: shmem_complexf_sum_reduce, \
    const float _Complex*: shmem_complexf_sum_reduce)(__VA_ARGS__)
#define shmem_prod_reduce(...) \
  _Generic(SHMEM_SECOND(__VA_ARGS__), \
    float*: shmem_float_prod_reduce, \
    const float*: shmem_float_prod_reduce, \
    double*: shmem_double_prod_reduce, \
    const double*: shmem_double_prod_reduce, \
    long double*: shmem_longdouble_prod_reduce, \
    const long double*: shmem_longdouble_prod_reduce, \
    char*: shmem_char_prod_reduce, \
    const char*: shmem_char_prod_reduce, \
    signed char*: shmem_schar_prod_reduce, \
    const signed char*: shmem_schar_prod_reduce, \
    short*: shmem_short_prod_reduce, \
    const short*: shmem_short_prod_reduce, \
    int*: shmem_int_prod_reduce, \
    const int*: shmem_int_prod_reduce, \
    long*: shmem_long_prod_reduce, \
    const long*: shmem_long_prod_reduce, \
    long long*: shmem_longlong_prod_reduce, \
    const long long*: shmem_longlong_prod_reduce, \
    unsigned char*: shmem_uchar_prod_reduce, \
    const unsigned char*: shmem_uchar_prod_reduce, \
    unsigned short*: shmem_ushort_prod_reduce, \
    const unsigned short*: shmem_ushort_prod_reduce, \
    unsigned int*: shmem_uint_prod_reduce, \
    const unsigned int*: shmem_uint_prod_reduce, \
    unsigned long*: shmem_ulong_prod_reduce, \
    const unsigned long*: shmem_ulong_prod_reduce, \
    unsigned long long*: shmem_ulonglong_prod_reduce, \
    const unsigned long long*: shmem_ulonglong_prod_reduce, \
    double _Complex*: shmem_complexd_prod_reduce, \
    const double _Complex*: shmem_complexd_prod_reduce, \
    float _Complex*: shmem_complexf_prod_reduce, \
    const float _Complex*: shmem_complexf_prod_reduce)(__VA_ARGS__)
#define shmem_fetch(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    float*: shmem_float_fetch, \
    const float*: shmem_float_fetch, \
    double*: shmem_double_fetch, \
    const double*: shmem_double_fetch, \
    int*: shmem_int_fetch, \
    const int*: shmem_int_fetch, \
    long*: shmem_long_fetch, \
    const long*: shmem_long_fetch, \
    long long*: shmem_longlong_fetch, \
    const long long*: shmem_longlong_fetch, \
    unsigned int*: shmem_uint_fetch, \
    const unsigned int*: shmem_uint_fetch, \
    unsigned long*: shmem_ulong_fetch, \
    const unsigned long*: shmem_ulong_fetch, \
    unsigned long long*: shmem_ulonglong_fetch, \
    const unsigned long long*: shmem_ulonglong_fetch)(__VA_ARGS__)
#define shmem_set(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    float*: shmem_float_set, \
    const float*: shmem_float_set, \
    double*: shmem_double_set, \
    const double*: shmem_double_set, \
    int*: shmem_int_set, \
    const int*: shmem_int_set, \
    long*: shmem_long_set, \
    const long*: shmem_long_set, \
    long long*: shmem_longlong_set, \
    const long long*: shmem_longlong_set, \
    unsigned int*: shmem_uint_set, \
    const unsigned int*: shmem_uint_set, \
    unsigned long*: shmem_ulong_set, \
    const unsigned long*: shmem_ulong_set, \
    unsigned long long*: shmem_ulonglong_set, \
    const unsigned long long*: shmem_ulonglong_set)(__VA_ARGS__)
#define shmem_swap(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    float*: shmem_float_swap, \
    const float*: shmem_float_swap, \
    double*: shmem_double_swap, \
    const double*: shmem_double_swap, \
    int*: shmem_int_swap, \
    const int*: shmem_int_swap, \
    long*: shmem_long_swap, \
    const long*: shmem_long_swap, \
    long long*: shmem_longlong_swap, \
    const long long*: shmem_longlong_swap, \
    unsigned int*: shmem_uint_swap, \
    const unsigned int*: shmem_uint_swap, \
    unsigned long*: shmem_ulong_swap, \
    const unsigned long*: shmem_ulong_swap, \
    unsigned long long*: shmem_ulonglong_swap, \
    const unsigned long long*: shmem_ulonglong_swap)(__VA_ARGS__)
#define shmem_cswap(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    int*: shmem_int_cswap, \
    const int*: shmem_int_cswap, \
    long*: shmem_long_cswap, \
    const long*: shmem_long_cswap, \
    long long*: shmem_longlong_cswap, \
    const long long*: shmem_longlong_cswap, \
    unsigned int*: shmem_uint_cswap, \
    const unsigned int*: shmem_uint_cswap, \
    unsigned long*: shmem_ulong_cswap, \
    const unsigned long*: shmem_ulong_cswap, \
    unsigned long long*: shmem_ulonglong_cswap, \
    const unsigned long long*: shmem_ulonglong_cswap)(__VA_ARGS__)
#define shmem_finc(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    int*: shmem_int_finc, \
    const int*: shmem_int_finc, \
    long*: shmem_long_finc, \
    const long*: shmem_long_finc, \
    long long*: shmem_longlong_finc, \
    const long long*: shmem_longlong_finc, \
    unsigned int*: shmem_uint_finc, \
    const unsigned int*: shmem_uint_finc, \
    unsigned long*: shmem_ulong_finc, \
    const unsigned long*: shmem_ulong_finc, \
    unsigned long long*: shmem_ulonglong_finc, \
    const unsigned long long*: shmem_ulonglong_finc)(__VA_ARGS__)
#define shmem_inc(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    int*: shmem_int_inc, \
    const int*: shmem_int_inc, \
    long*: shmem_long_inc, \
    const long*: shmem_long_inc, \
    long long*: shmem_longlong_inc, \
    const long long*: shmem_longlong_inc, \
    unsigned int*: shmem_uint_inc, \
    const unsigned int*: shmem_uint_inc, \
    unsigned long*: shmem_ulong_inc, \
    const unsigned long*: shmem_ulong_inc, \
    unsigned long long*: shmem_ulonglong_inc, \
    const unsigned long long*: shmem_ulonglong_inc)(__VA_ARGS__)
#define shmem_fadd(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    int*: shmem_int_fadd, \
    const int*: shmem_int_fadd, \
    long*: shmem_long_fadd, \
    const long*: shmem_long_fadd, \
    long long*: shmem_longlong_fadd, \
    const long long*: shmem_longlong_fadd, \
    unsigned int*: shmem_uint_fadd, \
    const unsigned int*: shmem_uint_fadd, \
    unsigned long*: shmem_ulong_fadd, \
    const unsigned long*: shmem_ulong_fadd, \
    unsigned long long*: shmem_ulonglong_fadd, \
    const unsigned long long*: shmem_ulonglong_fadd)(__VA_ARGS__)
#define shmem_add(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    int*: shmem_int_add, \
    const int*: shmem_int_add, \
    long*: shmem_long_add, \
    const long*: shmem_long_add, \
    long long*: shmem_longlong_add, \
    const long long*: shmem_longlong_add, \
    unsigned int*: shmem_uint_add, \
    const unsigned int*: shmem_uint_add, \
    unsigned long*: shmem_ulong_add, \
    const unsigned long*: shmem_ulong_add, \
    unsigned long long*: shmem_ulonglong_add, \
    const unsigned long long*: shmem_ulonglong_add)(__VA_ARGS__)
#define shmem_wait(...) \
  _Generic(SHMEM_FIRST(__VA_ARGS__), \
    short*: shmem_short_wait, \
    const short*: shmem_short_wait, \
    int*: shmem_int_wait, \
    const int*: shmem_int_wait, \
    long*: shmem_long_wait, \
    const long*: shmem_long_wait, \
    long long*: shmem_longlong_wait, \
    const long long*: shmem_longlong_wait, \
    unsigned short*: shmem_ushort_wait, \
    const unsigned short*: shmem_ushort_wait, \
    unsigned int*: shmem_uint_wait, \
    const unsigned int*: shmem_uint_wait, \
    unsigned long*: shmem_ulong_wait, \
    const unsigned long*: shmem_ulong_wait, \
    unsigned long long*: shmem_ulonglong_wait, \
    const unsigned long long*: shmem_ulonglong_wait)(__VA_ARGS__)

#endif

#endif

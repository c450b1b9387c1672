// SPDX-License-Identifier: Apache-2.0
//
// The types of OpenSHMEM's tables, as tests name them: DO(NAME, C TYPE).
#pragma once

// clang-format off
#define RMA_TYPES(DO) \
  DO(float, float) DO(double, double) DO(longdouble, long double) DO(char, char) \
  DO(schar, signed char) DO(short, short) DO(int, int) DO(long, long) \
  DO(longlong, long long) DO(uchar, unsigned char) DO(ushort, unsigned short) \
  DO(uint, unsigned int) DO(ulong, unsigned long) DO(ulonglong, unsigned long long) \
  DO(int8, int8_t) DO(int16, int16_t) DO(int32, int32_t) DO(int64, int64_t) \
  DO(uint8, uint8_t) DO(uint16, uint16_t) DO(uint32, uint32_t) DO(uint64, uint64_t) \
  DO(size, size_t) DO(ptrdiff, ptrdiff_t)
#define AMO_TYPES(DO) \
  DO(int, int) DO(long, long) DO(longlong, long long) DO(uint, unsigned int) \
  DO(ulong, unsigned long) DO(ulonglong, unsigned long long) DO(int32, int32_t) \
  DO(int64, int64_t) DO(uint32, uint32_t) DO(uint64, uint64_t) DO(size, size_t) \
  DO(ptrdiff, ptrdiff_t)
#define BIT_TYPES(DO) \
  DO(uchar, unsigned char) DO(ushort, unsigned short) DO(uint, unsigned int) \
  DO(ulong, unsigned long) DO(ulonglong, unsigned long long) DO(int8, int8_t) \
  DO(int16, int16_t) DO(int32, int32_t) DO(int64, int64_t) DO(uint8, uint8_t) \
  DO(uint16, uint16_t) DO(uint32, uint32_t) DO(uint64, uint64_t) DO(size, size_t)
// clang-format on

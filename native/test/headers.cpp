// SPDX-License-Identifier: Apache-2.0
//
// A program has to be there for the headers that test programs share (cmake/Testing.cmake).
int main() {}

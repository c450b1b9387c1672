// SPDX-License-Identifier: Apache-2.0
#include "conversation.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char* peer_option(int argc, char** argv, const char* name) {
  size_t length = strlen(name);
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--", 2) == 0 && strncmp(argv[i] + 2, name, length) == 0 && argv[i][2 + length] == '=') {
      return argv[i] + 3 + length;
    }
  }
  fprintf(stderr, "--%s is missing\n", name);
  exit(2);
}

void peer_say(const char* role, const char* event, const char* format, ...) {
  va_list values;
  va_start(values, format);
  printf("{\"role\":\"%s\",\"event\":\"%s\",", role, event);
  vprintf(format, values);
  printf("}\n");
  fflush(stdout);
  va_end(values);
}

_Noreturn void peer_fail(const char* role, const char* format, ...) {
  va_list values;
  va_start(values, format);
  printf("{\"role\":\"%s\",\"event\":\"failed\",\"reason\":\"", role);
  vprintf(format, values);
  printf("\"}\n");
  fflush(stdout);
  va_end(values);
  _exit(1);
}

bool peer_hear(char* word, size_t capacity, int64_t* number) {
  char line[256];
  if (fgets(line, sizeof line, stdin) == NULL) {
    return false;
  }
  char* space = strchr(line, ' ');
  if (space == NULL) {
    return false;
  }
  *space = 0;
  snprintf(word, capacity, "%s", line);
  *number = strtoll(space + 1, NULL, 10);
  return true;
}

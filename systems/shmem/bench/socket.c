/* SPDX-License-Identifier: Apache-2.0
 *
 * socket.c: what speed.c's calls come down to over TCP, on a socket between two processes of this
 * host: 8 bytes there and back, and many bytes with one back. The far side waits in the kernel.
 * Lines are NAME BYTES NS, as speed.c's.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 5
#define ROUND_NS 1e7
#define LARGE ((size_t)1 << 20)

static char memory[LARGE];

static void must(int holds, const char* what) {
  if (holds) return;
  perror(what);
  exit(1);
}

static void move(ssize_t (*call)(int, char*, size_t), int socket, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t moved = call(socket, memory + done, bytes - done);
    must(moved > 0, "the socket");
    done += (size_t)moved;
  }
}
static ssize_t out(int socket, char* from, size_t bytes) {
  return send(socket, from, bytes, 0);
}
static ssize_t in(int socket, char* to, size_t bytes) {
  return recv(socket, to, bytes, 0);
}

/* One end of a connection; the other one is the child's. */
static int connected(pid_t* child) {
  struct sockaddr_in here;
  memset(&here, 0, sizeof here);
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof here;
  int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
  must(bind(listener, (struct sockaddr*)&here, sizeof here) == 0, "bind");
  must(listen(listener, 1) == 0, "listen");
  must(getsockname(listener, (struct sockaddr*)&here, &bytes) == 0, "getsockname");
  *child = fork();
  must(*child >= 0, "fork");
  int end = *child == 0 ? socket(AF_INET, SOCK_STREAM, 0) : accept(listener, NULL, NULL);
  if (*child == 0) must(connect(end, (struct sockaddr*)&here, sizeof here) == 0, "connect");
  must(setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0, "TCP_NODELAY");
  close(listener);
  return end;
}

static double timed(int end, size_t bytes, size_t back, long calls) {
  struct timespec began, ended;
  clock_gettime(CLOCK_MONOTONIC, &began);
  for (long i = 0; i < calls; i++) {
    move(out, end, bytes);
    move(in, end, back);
  }
  clock_gettime(CLOCK_MONOTONIC, &ended);
  return (double)(ended.tv_sec - began.tv_sec) * 1e9 + (double)(ended.tv_nsec - began.tv_nsec);
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static void measure(const char* name, size_t bytes, size_t back) {
  pid_t child;
  int end = connected(&child);
  while (child == 0) {
    ssize_t first = recv(end, memory, bytes, 0);
    if (first <= 0) _exit(0);
    move(in, end, bytes - (size_t)first);
    move(out, end, back);
  }
  long calls = (long)(ROUND_NS * 256 / timed(end, bytes, back, 256)) + 1;
  double each[ROUNDS];
  for (int round = 0; round < ROUNDS; round++)
    each[round] = timed(end, bytes, back, calls) / (double)calls;
  close(end);
  qsort(each, ROUNDS, sizeof *each, compare);
  printf("%s %zu %.2f\n", name, bytes, each[ROUNDS / 2]);
  fflush(stdout); /* the next child is not to have it, too */
}

int main(void) {
  measure("there-and-back", 8, 8);
  measure("send", LARGE, 1);
  return 0;
}

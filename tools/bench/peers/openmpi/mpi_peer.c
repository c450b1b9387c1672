// SPDX-License-Identifier: Apache-2.0
// MPI: rank 0 sends and speaks with the suite for both, rank 1 receives. Messages flow with a window of sends and
// receives posted ahead; nothing is acknowledged in between, which is the most that MPI can do.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conversation.h"
#include "judge.h"
#include "rounds.h"

enum { DATA = 1, END_OF_ROUND = 2, VERDICT = 3, END_OF_RUN = 4, MAX_WINDOW = 1024, VERDICT_BYTES = 512 };

typedef struct {
  bool has_replies;
  int window;
  peer_content content;
  peer_judge judge;
  size_t capacity;  // of a buffer: a message or the count that ends a round
  uint8_t* buffers[MAX_WINDOW];
  MPI_Request requests[MAX_WINDOW];
  int at;  // the oldest request
} mpi_peer;

static void allocate(mpi_peer* peer) {
  peer->capacity = peer->content.size > 8 ? peer->content.size : 8;
  for (int i = 0; i < peer->window; i++) {
    peer->buffers[i] = aligned_alloc(4096, (peer->capacity + 4095) / 4096 * 4096);
    peer->requests[i] = MPI_REQUEST_NULL;
  }
}

// ---- rank 0 ----

static void send_blocking(void* library, uint64_t sequence) {
  mpi_peer* peer = library;
  peer_write(&peer->content, sequence, peer->buffers[0]);
  MPI_Send(peer->buffers[0], (int)peer->content.size, MPI_BYTE, 1, DATA, MPI_COMM_WORLD);
}

static void send_windowed(void* library, uint64_t sequence) {
  mpi_peer* peer = library;
  int at = peer->at;
  MPI_Wait(&peer->requests[at], MPI_STATUS_IGNORE);
  peer_write(&peer->content, sequence, peer->buffers[at]);
  MPI_Isend(peer->buffers[at], (int)peer->content.size, MPI_BYTE, 1, DATA, MPI_COMM_WORLD, &peer->requests[at]);
  peer->at = at + 1 == peer->window ? 0 : at + 1;
}

static void flush(void* library) {
  mpi_peer* peer = library;
  MPI_Waitall(peer->window, peer->requests, MPI_STATUSES_IGNORE);
}

static bool answer(void* library, uint64_t sequence) {
  mpi_peer* peer = library;
  MPI_Status status;
  int length;
  MPI_Recv(peer->buffers[0], (int)peer->capacity, MPI_BYTE, 1, DATA, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_BYTE, &length);
  return peer_is_message(&peer->content, sequence, peer->buffers[0], (size_t)length);
}

// Rank 1 judges once it has seen the end of the round, which no message overtakes.
static void relay_verdict(const peer_sender* sender) {
  char verdict[VERDICT_BYTES];
  MPI_Send(&sender->sent, 8, MPI_BYTE, 1, END_OF_ROUND, MPI_COMM_WORLD);
  MPI_Recv(verdict, VERDICT_BYTES, MPI_BYTE, 1, VERDICT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  peer_say("receiver", "received", "%s", verdict);
}

static void say_ready(const mpi_peer* peer, const char* settings) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(version, &length);
  version[strcspn(version, ",\n")] = 0;
  const char* roles[] = {"receiver", "sender"};
  for (int i = 0; i < 2; i++) {
    peer_say(roles[i], "ready", "\"version\":\"%s\",\"settings\":\"%s, %s\"", version,
             peer->window == 1 ? "blocking MPI_Send and MPI_Recv" : "64 MPI_Isend and MPI_Irecv outstanding", settings);
  }
}

static void converse(mpi_peer* peer, const char* settings) {
  peer_sender sender = {.content = &peer->content,
                        .library = peer,
                        .send = peer->window == 1 ? send_blocking : send_windowed,
                        .answer = answer,
                        .flush = flush};
  char word[16];
  int64_t number;
  say_ready(peer, settings);
  while (peer_hear(word, sizeof word, &number)) {
    if (strcmp(word, "expect") == 0) {
      relay_verdict(&sender);
    } else if (peer->has_replies) {
      peer_request_round(&sender, number);
    } else {
      peer_send_round(&sender, number);
    }
  }
  uint64_t end = 0;
  MPI_Send(&end, 8, MPI_BYTE, 1, END_OF_RUN, MPI_COMM_WORLD);
}

// ---- rank 1 ----

// A waiting MPI process spins, which would be taken from whoever is measured meanwhile: between rounds it sleeps.
static void sleep_until_round(void) {
  int is_there = 0;
  for (;;) {
    MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    if (is_there) {
      return;
    }
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
  }
}

static void post(mpi_peer* peer, int at) {
  MPI_Irecv(peer->buffers[at], (int)peer->capacity, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &peer->requests[at]);
}

// Takes the next message; false if it ends the round or the run.
static bool take_next(mpi_peer* peer, MPI_Status* status) {
  int at = peer->at, length;
  if (peer->window == 1) {
    MPI_Recv(peer->buffers[0], (int)peer->capacity, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, status);
  } else {
    MPI_Wait(&peer->requests[at], status);
  }
  if (status->MPI_TAG != DATA) {
    return false;
  }
  MPI_Get_count(status, MPI_BYTE, &length);
  peer_take(&peer->judge, peer->buffers[at], (size_t)length);
  if (peer->has_replies) {
    MPI_Send(peer->buffers[at], length, MPI_BYTE, 0, DATA, MPI_COMM_WORLD);
  }
  if (peer->window > 1) {
    post(peer, at);
    peer->at = at + 1 == peer->window ? 0 : at + 1;
  }
  return true;
}

// Receives posted ahead would take the next round's first messages before the process wakes up: none stay posted.
static void cancel_posted(mpi_peer* peer) {
  for (int i = 0; i < peer->window; i++) {
    if (peer->requests[i] != MPI_REQUEST_NULL) {
      MPI_Cancel(&peer->requests[i]);
      MPI_Wait(&peer->requests[i], MPI_STATUS_IGNORE);
    }
  }
  peer->at = 0;
}

static void send_verdict(mpi_peer* peer, uint64_t sent) {
  char verdict[VERDICT_BYTES] = {0};
  peer_verdict(&peer->judge, sent, verdict, sizeof verdict);
  MPI_Send(verdict, VERDICT_BYTES, MPI_BYTE, 0, VERDICT, MPI_COMM_WORLD);
}

static void receive(mpi_peer* peer) {
  for (;;) {
    sleep_until_round();
    for (int i = 0; peer->window > 1 && i < peer->window; i++) {
      post(peer, i);
    }
    MPI_Status status;
    while (take_next(peer, &status)) {
    }
    uint64_t sent;
    memcpy(&sent, peer->buffers[peer->at], 8);
    cancel_posted(peer);
    if (status.MPI_TAG == END_OF_RUN) {
      return;
    }
    send_verdict(peer, sent);
  }
}

int main(int argc, char** argv) {
  static mpi_peer peer;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer.has_replies = strcmp(peer_option(argc, argv, "workload"), "latency") == 0;
  peer.window = atoi(peer_option(argc, argv, "window"));
  peer_content_init(&peer.content, strtoul(peer_option(argc, argv, "size"), NULL, 10));
  peer_judge_init(&peer.judge, &peer.content);
  allocate(&peer);
  if (rank == 0) {
    converse(&peer, peer_option(argc, argv, "settings"));
  } else {
    receive(&peer);
  }
  MPI_Finalize();
  return 0;
}

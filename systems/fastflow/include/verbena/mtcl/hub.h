// SPDX-License-Identifier: Apache-2.0
//
// Where dialogues begin: a process listens at addresses, and connects with others that do. Each
// address has a node of its own. Connections that begin here are of any of them; those with this
// process, or of one that listens nowhere, of a node that does not listen.
//
// The environment says what is not said in an address:
//   VERBENA_DEVICE       a device by its name; the best there is, else softnic
//   VERBENA_CLUSTER      processes of other clusters are refused; "default"
//   VERBENA_KEY_FILE     what the file has is the cluster's key, which every process has to prove;
//                        nobody else may use the file
//   VERBENA_DEVICE_ONLY  1: all goes by the device, also between processes of one host; 0
//   VERBENA_RING_BYTES   of each direction of a dialogue, a power of two; 262144
//   VERBENA_LINGER_MS    how long the end of a dialogue waits for a far side that lives and does
//                        not read, before what it has not taken is lost; without end
// It is read when an address gets its node. What cannot be read is refused then.
//
// Errors are as of system calls: errno, and error() has a sentence.
//
// Threads: one at a time accepts; any thread does the rest.
#pragma once

#include <verbena/channel.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "verbena/mtcl/dialogue.h"

namespace verbena::mtcl {

class Hub {
 public:
  Hub() = default;
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// "host:port". 0, or -1.
  int listen(const std::string& address);
  /// A dialogue that another process has begun. Null: there is none now, EWOULDBLOCK, or one could
  /// not be taken, ECONNABORTED, and there may be others behind it.
  std::unique_ptr<Dialogue> accept();
  /// Null if nobody is there or it refuses, ECONNREFUSED: who is not there yet, as processes are
  /// that start together, is asked again and again for so long. Or, at once, because this process
  /// cannot, for its settings for example: EADDRNOTAVAIL.
  std::unique_ptr<Dialogue> connect(const std::string& address,
                                    Dialogue::Clock::duration patience = {});
  /// Listens no more. Dialogues go on.
  void close();
  /// Why the last call of this thread came to nothing.
  static const char* error();

 private:
  class Place;

  std::shared_ptr<Place> place(const std::string& address);
  std::shared_ptr<Place> anyPlace();
  std::unique_ptr<Dialogue> connectNow(const std::string& address);

  std::mutex lock_;
  std::map<std::string, std::shared_ptr<Place>> places_;  // by address; "": listens nowhere
};

}  // namespace verbena::mtcl

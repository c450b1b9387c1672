// SPDX-License-Identifier: Apache-2.0
//
// Direct operations too long to be made under the port's lock.
//
// Where a queue pair's next request is one, transmit() stops in front of it and puts the queue pair
// on Context::copiesDue. Whoever has called into the context, or its thread, makes the copy before
// it goes: in pieces, looking at everybody's rights before each, and without the lock during each.
// Meanwhile nothing else of the send queue goes out, and the request stays the next one; whatever
// wants to take its memory, its queue pair or its connection away waits for the end of the piece.
#pragma once

#include <cstddef>
#include <mutex>

#include "host/lock.h"
#include "softnic/objects/queue_pair.h"

namespace verbena::softnic {

/// A copy up to this length holds the lock, as one into a packet does.
inline constexpr size_t kShortCopyBytes = kFragmentBytes;
/// Of a longer one this much lies between two looks at rights and keys.
inline constexpr size_t kPieceBytes = 256 * 1024;

bool isLongCopy(const SendRequest& request);

/// The next request is one: it is made before the caller's lock is given up.
void expectLongCopy(QueuePair& qp);
/// It is not wanted any more, unless a thread has begun it.
void forgetLongCopy(QueuePair& qp);
/// Returns when no thread copies for the queue pair any more.
void endLongCopy(QueuePair& qp, std::unique_lock<host::Lock>& guard);

/// Makes the copy that is due, and sends what waits behind it.
void makeLongCopy(QueuePair& qp, std::unique_lock<host::Lock>& guard);

}  // namespace verbena::softnic

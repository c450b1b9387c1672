/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the standard has extensions declared. There are none.
 */
#include <shmem.h>

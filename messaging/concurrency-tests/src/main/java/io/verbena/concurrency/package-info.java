// SPDX-License-Identifier: Apache-2.0

/** jcstress tests of lanes, tables and the announcements by which threads wake each other. */
@org.jspecify.annotations.NullMarked
package io.verbena.concurrency;

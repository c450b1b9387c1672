// SPDX-License-Identifier: Apache-2.0

/** The conformance suite every transport passes, and the fault injection it needs. */
@org.jspecify.annotations.NullMarked
package io.verbena.testkit;

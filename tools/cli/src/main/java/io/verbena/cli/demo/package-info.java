// SPDX-License-Identifier: Apache-2.0
/** A word count over three node processes, checked against a count in one. */
@NullMarked
package io.verbena.cli.demo;

import org.jspecify.annotations.NullMarked;

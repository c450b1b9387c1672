// SPDX-License-Identifier: Apache-2.0

/**
 * MPI as Java programs have known it for long: the API of mpiJava 1.2 and of MPJ Express 0.44, so
 * that their programs compile and run as they are. {@link mpi.MPI} is the way in. New programs may
 * prefer {@link io.verbena.mpi}, which this package is a face of.
 *
 * <p><b>What holds for all calls.</b> Arguments are checked before anything is done: what is wrong
 * is an {@link mpi.MPIException} that says which value against which limit. A thread that is
 * interrupted while it waits gets one, too, and stays interrupted; what it waited for goes on. Any
 * thread may call anything at any time (MPI_THREAD_MULTIPLE), but one request is waited for by one
 * thread, and collective calls of one communicator are made by one thread at a time.
 *
 * <p><b>Which error it is</b> is told by the exception's cause, in place of MPI's classes of
 * errors: {@link io.verbena.mpi.device.TruncatedException} of a message that was longer than its
 * receive, {@link io.verbena.mpi.device.RankLostException} with the rank and its host, {@link
 * io.verbena.mpi.BufferFullException} of a buffered send, {@link java.lang.InterruptedException},
 * {@link java.io.IOException} and the like of objects; a wrong argument has none, or an {@link
 * java.lang.IllegalArgumentException}.
 *
 * <p><b>Buffers.</b> A buffer is an array of the datatype's base type; an array of arrays of it, to
 * any depth, whose elements count in their order as if they were one array; a direct or other NIO
 * buffer, from its position to its limit, in the machine's byte order; or a {@link
 * java.lang.foreign.MemorySegment} that all threads may use. Offsets, extents and displacements
 * count elements of the base type. Nothing is packed on the way: bytes go from the program's memory
 * to where they travel. {@link mpi.MPI#OBJECT} is for arrays of objects: see {@link mpi.Datatype}.
 *
 * <p><b>Otherwise than MPI says.</b>
 *
 * <ul>
 *   <li>Errors are exceptions, and the error handler of all communicators is {@link
 *       mpi.MPI#ERRORS_RETURN} at first, as in MPJ Express: Java has exceptions for that, and one
 *       that nobody catches ends the rank and by that the job. {@link mpi.MPI#ERRORS_ARE_FATAL} is
 *       about what fails under way: a lost rank, a message that is too long, a buffer that is full.
 *       Wrong arguments, and objects that cannot be serialized or made, are exceptions in any case:
 *       they are found before anything is sent, or when all has arrived, so the program may go on.
 *   <li>All elements of a derived datatype have one base type, as in mpiJava: a Java array has.
 *   <li>Who is no member of a new communicator gets one for which {@link mpi.Comm#Is_null} is true.
 *   <li>{@link mpi.MPI#Finalize} waits for buffered sends, not for other ranks: they can still
 *       receive what has been sent to them.
 *   <li>A send that has begun is never cancelled, as MPI 4.1 has deprecated.
 *   <li>A receive of objects whose request is freed before its end puts none into its buffer.
 *   <li>Where the values of {@code MAXLOC} and {@code MINLOC} are no numbers, these count as
 *       greater than all.
 * </ul>
 *
 * <p><b>Otherwise than MPJ Express does</b>, where that differs from the standard:
 *
 * <ul>
 *   <li>{@code Bsend} never waits; it needs {@code Buffer_attach}, as the standard has it.
 *   <li>{@code Cancel} cancels receives that have no message; a request that is done is null, and
 *       null requests are passed over by Wait and Test in all their forms.
 *   <li>Messages to and from {@code PROC_NULL} do nothing, in all calls.
 *   <li>{@code BOR} is an or; operations that do not commute are applied in the order of ranks;
 *       logical and bitwise operations know all integers.
 *   <li>{@code Reduce_scatter} leaves the send buffer as it is, and each rank gets its own part.
 *   <li>Offsets of sections count in all collectives.
 *   <li>{@code Split} knows {@code UNDEFINED} and any color from 0 on.
 *   <li>Bounds and extents of vectors and structures are those of the standard, also with {@code
 *       LB} and {@code UB}; datatypes are to be committed.
 *   <li>{@code Dims_create} gives balanced dimensions in descending order, or says that there are
 *       none.
 *   <li>{@code Wtime} has nanoseconds.
 *   <li>{@code Abort} ends the job, error handlers work, and attributes can be put.
 * </ul>
 *
 * <p><b>What is left out</b> of MPJ Express' signatures: whatever names its inner packages {@code
 * mpjdev} and {@code mpjbuf}. There is no such layer here; {@code Pack} and {@code Unpack} have
 * {@code byte[]}, as in mpiJava. Of mpiJava's: {@code Buffer_detach} gives nothing back, as MPJ
 * Express has it, since a program compiled for one of the two can find only one.
 */
@NullMarked
package mpi;

import org.jspecify.annotations.NullMarked;

/**
 * HTTP/1.1 (RFC 9112) as state machines without I/O, for clients and servers.
 *
 * <p>A server reads with {@link io.fairlead.http.h1.RequestReader} and writes with
 * {@link io.fairlead.http.h1.AnswerWriter}; a client reads with {@link io.fairlead.http.h1.AnswerReader} and writes with
 * {@link io.fairlead.http.h1.RequestWriter} and {@link io.fairlead.http.h1.ChunkWriter}. Everything of one connection runs
 * on one thread.
 */
@NullMarked
package io.fairlead.http.h1;

import org.jspecify.annotations.NullMarked;

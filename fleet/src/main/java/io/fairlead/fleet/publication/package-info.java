/**
 * {@code APIPublication}: an API group that a hosted cluster or another server serves becomes part of attached clusters by
 * their own aggregation layer, in an order in which no APIService is ever without a backend.
 *
 * <p>Threads: one that reads the publications and writes their status, and a virtual one for each backend in a target, on
 * which all calls block. Start with {@link io.fairlead.fleet.publication.Publications}.
 */
@NullMarked
package io.fairlead.fleet.publication;

import org.jspecify.annotations.NullMarked;

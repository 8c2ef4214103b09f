/**
 * The controllers of a cluster: empty terminating namespaces and create their defaults, aggregate roles, fill
 * Secrets with tokens, accept definitions, delete expired events, and collect objects without owners.
 *
 * <p>Each controller is a queue of keys and, while there is work, one virtual thread that rereads the state of a key
 * and moves it one step. Start with {@link io.fairlead.hosted.controller.KeyQueue}, then {@link
 * io.fairlead.hosted.controller.GarbageCollector}.
 */
@NullMarked
package io.fairlead.hosted.controller;

import org.jspecify.annotations.NullMarked;

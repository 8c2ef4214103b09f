/**
 * What a cluster does by itself: emptying namespaces and giving them their defaults, aggregating roles, accepting
 * definitions, deleting expired events, and collecting objects that lost their owners.
 *
 * <p>Each controller is a queue of keys and, while there is work, one virtual thread that rereads the state of a key and moves it one step.
 * Start with {@link io.fairlead.hosted.controller.KeyQueue}, then {@link io.fairlead.hosted.controller.GarbageCollector}.
 */
@NullMarked
package io.fairlead.hosted.controller;

import org.jspecify.annotations.NullMarked;

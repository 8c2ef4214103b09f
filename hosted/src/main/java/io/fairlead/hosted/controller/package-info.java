/**
 * What a cluster does by itself: emptying and furnishing namespaces, aggregating roles.
 *
 * <p>Each controller is a queue of keys and, while there is work, one virtual thread that rereads the state of a key and moves it one step.
 * Start with {@link io.fairlead.hosted.controller.KeyQueue}.
 */
@NullMarked
package io.fairlead.hosted.controller;

import org.jspecify.annotations.NullMarked;

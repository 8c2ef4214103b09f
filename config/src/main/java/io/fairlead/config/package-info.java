/**
 * The configuration of a gateway: a tree of records, read once from a file, the environment and flags, completed with
 * defaults and cross-checked.
 *
 * <p>Immutable after reading; safe for any thread. Start with {@link io.fairlead.config.Configuration}, which has every
 * key with its default and meaning, and {@link io.fairlead.config.ConfigurationReader}.
 */
@NullMarked
package io.fairlead.config;

import org.jspecify.annotations.NullMarked;

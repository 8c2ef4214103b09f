/**
 * The CustomResourceDefinition kind ({@code apiextensions.k8s.io/v1}) as values: reading, defaulting, the rules for
 * creating and updating one, and what it says about the objects it defines.
 *
 * <p>Pure functions and immutable values, safe for any thread. Start with
 * {@link io.fairlead.schema.crd.CustomResourceDefinition}.
 */
@NullMarked
package io.fairlead.schema.crd;

import org.jspecify.annotations.NullMarked;

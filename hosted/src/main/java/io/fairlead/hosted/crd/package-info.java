/**
 * CustomResourceDefinitions: their rules, what they serve, and their lifecycle, from acceptance of their names to the
 * deletion of their objects.
 *
 * <p>Start with {@link io.fairlead.hosted.crd.DefinitionKind} and {@link
 * io.fairlead.hosted.controller.DefinitionController}.
 */
@NullMarked
package io.fairlead.hosted.crd;

import org.jspecify.annotations.NullMarked;

/**
 * Kubeconfig files (client-go {@code tools/clientcmd/api/v1}): reads one context, and adds entries without changes to
 * others.
 *
 * <p>Values and files only; no state. Start with {@link io.fairlead.credentials.kubeconfig.Kubeconfig}.
 */
@NullMarked
package io.fairlead.credentials.kubeconfig;

import org.jspecify.annotations.NullMarked;

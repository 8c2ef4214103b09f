/** Facts about definitions of custom resources, many of them recorded from a kube-apiserver. */
@NullMarked
package io.fairlead.schema.crd;

import org.jspecify.annotations.NullMarked;

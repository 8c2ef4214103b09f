@NullMarked
package io.fairlead.schema.protobuf;

import org.jspecify.annotations.NullMarked;

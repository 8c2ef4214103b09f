package io.fairlead.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A key of the configuration: what a record component means, and its value where nobody sets it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Setting {
    /** The default as it would stand in the file; empty for no value. */
    String value() default "";

    /** What the value is for. */
    String meaning();
}

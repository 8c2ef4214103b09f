package io.fairlead.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A key of the configuration: the meaning of a record component, and its default. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Setting {
    /** The default in the file's syntax; empty for no value. */
    String value() default "";

    /** The purpose of the value. */
    String meaning();
}

package io.fairlead.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * What a class may be in is an enum or a sealed type with the table of its transitions, and not a set of booleans most of whose
 * combinations cannot be.
 */
class StatesTest {
    private static final int BOOLEANS_MAX = 3;

    @Test
    void noClass_keepsItsStateInBooleans() {
        Map<String, List<String>> found = new TreeMap<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.fairlead")) {
            List<String> booleans = booleans(type);
            if (booleans.size() > BOOLEANS_MAX) {
                found.put(type.getName(), booleans);
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void canaries_areCaught() {
        assertThat(booleans(new ClassFileImporter().importClass(Canary.class)))
                .containsExactly("atomic", "changes", "isShared");
    }

    /** The fields that can be either way in the course of an object's life. */
    private static List<String> booleans(JavaClass type) {
        return type.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC)
                        && !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(StatesTest::changes)
                .map(JavaField::getName)
                .sorted()
                .toList();
    }

    private static boolean changes(JavaField field) {
        JavaClass type = field.getRawType();
        return type.isEquivalentTo(AtomicBoolean.class)
                || ((type.isEquivalentTo(boolean.class) || type.isEquivalentTo(Boolean.class))
                        && !field.getModifiers().contains(JavaModifier.FINAL));
    }

    /** Three that change, and two that do not. */
    @SuppressWarnings("unused") // but for their types
    private static final class Canary {
        private static boolean ofTheClass;
        private final boolean fixed = ofTheClass;
        private final AtomicBoolean atomic = new AtomicBoolean(fixed);
        private boolean changes;
        private volatile boolean isShared;
    }
}

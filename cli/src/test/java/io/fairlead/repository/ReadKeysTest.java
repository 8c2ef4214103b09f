package io.fairlead.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.fairlead.config.AttachedClusterSettings;
import io.fairlead.config.Configuration;
import io.fairlead.config.HostedClusterSettings;
import io.fairlead.config.LimitSettings;
import io.fairlead.config.StoreSettings;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key that no part reads would be a promise that is not kept: each is read by more than the checks of its value. */
class ReadKeysTest {
    private static final String CHECKS = "io.fairlead.config.CrossChecks";

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fairlead");

    @ParameterizedTest
    @ValueSource(
            classes = {
                LimitSettings.class,
                AttachedClusterSettings.class,
                HostedClusterSettings.class,
                StoreSettings.class,
                Configuration.Index.class,
                Configuration.Selection.class,
                Configuration.Shutdown.class,
                Configuration.Types.class,
                Configuration.Upstreams.class
            })
    void everyKey_isRead(Class<?> section) {
        assertThat(unread(section, PRODUCTION)).isEmpty();
    }

    @Test
    void keyThatIsNotRead_isNoticed() {
        JavaClasses classes = new ClassFileImporter().importClasses(Section.class, ReadKeysTest.class);

        assertThat(new Section(1, 2).known()).isOne();
        assertThat(unread(Section.class, classes)).containsExactly("forgotten");
    }

    private static List<String> unread(Class<?> section, JavaClasses classes) {
        JavaClass keys = classes.get(section);
        return Arrays.stream(section.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(key -> keys.getMethod(key).getAccessesToSelf().stream()
                        .map(access -> access.getOriginOwner())
                        .allMatch(reader ->
                                reader.equals(keys) || reader.getName().equals(CHECKS)))
                .toList();
    }

    private record Section(int known, int forgotten) {}
}

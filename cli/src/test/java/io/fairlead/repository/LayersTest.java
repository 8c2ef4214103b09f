package io.fairlead.repository;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The folders depend on each other in one direction, as docs/architecture.md draws them. */
class LayersTest {
    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fairlead");

    private static final ArchRule NO_CYCLES =
            slices().matching("io.fairlead.(**)").should().beFreeOfCycles();

    /** A folder, what of Fairlead it may see, and what of the world it may not. */
    @SuppressWarnings("ImmutableEnumChecker") // the lists are
    enum Folder {
        MODEL("model", List.of(), List.of("io.netty..", "tools.jackson..", "org.slf4j..")),
        HTTP("http", List.of(), List.of("tools.jackson..", "io.fabric8..", "org.slf4j..")),
        CREDENTIALS("credentials", List.of("model"), List.of("io.netty..", "tools.jackson..", "io.fabric8..")),
        INDEX("index", List.of("model"), List.of("java.net..", "io.netty..", "tools.jackson..", "io.fabric8..")),
        SCHEMA("schema", List.of("model"), List.of("io.netty..", "io.fabric8..")),
        PACKAGES("packages", List.of("model", "schema"), List.of("io.netty..", "io.fabric8..")),
        CONFIG("config", List.of("model"), List.of("io.netty..", "io.fabric8..")),
        NET("net", List.of("model", "http", "credentials"), List.of("tools.jackson..", "io.fabric8..")),
        STORAGE("storage", List.of(), List.of("io.netty..", "tools.jackson..", "io.fabric8..")),
        HOSTED("hosted", List.of("model", "credentials", "schema", "storage"), List.of("io.netty..", "io.fabric8..")),
        CLUSTER_SYNC("clustersync", List.of("model", "http", "index", "schema", "net"), List.of("org.rocksdb..")),
        FLEET(
                "fleet",
                List.of("model", "http", "credentials", "index", "schema", "net", "storage", "hosted", "clustersync"),
                List.of("org.rocksdb..", "io.fabric8..", "io.micrometer..")),
        GATEWAY(
                "gateway",
                List.of(
                        "model",
                        "http",
                        "credentials",
                        "index",
                        "schema",
                        "config",
                        "net",
                        "storage",
                        "hosted",
                        "clustersync",
                        "fleet"),
                List.of("org.rocksdb..", "io.fabric8..", "picocli..")),
        CLI(
                "cli",
                List.of("model", "credentials", "index", "schema", "packages", "config", "gateway"),
                List.of("io.netty..", "org.rocksdb..", "io.fabric8.."));

        private final String name;
        private final List<String> mayTouch;
        private final List<String> mustNotTouch;

        Folder(String name, List<String> mayTouch, List<String> mustNotTouch) {
            this.name = name;
            this.mayTouch = mayTouch;
            this.mustNotTouch = mustNotTouch;
        }

        ArchRule rule() {
            String[] allowed = Stream.concat(Stream.of(name), mayTouch.stream())
                    .map(folder -> "io.fairlead." + folder + "..")
                    .toArray(String[]::new);
            DescribedPredicate<JavaClass> otherFolder =
                    resideInAPackage("io.fairlead..").and(DescribedPredicate.not(resideInAnyPackage(allowed)));
            DescribedPredicate<JavaClass> forbidden =
                    otherFolder.or(resideInAnyPackage(mustNotTouch.toArray(String[]::new)));
            return noClasses()
                    .that()
                    .resideInAPackage("io.fairlead." + name + "..")
                    .should()
                    .dependOnClassesThat(forbidden)
                    .as(name + "/ sees nothing but " + mayTouch + " of Fairlead, and nothing of " + mustNotTouch);
        }
    }

    @ParameterizedTest
    @EnumSource
    void folder_seesOnlyWhatIsBelowIt(Folder folder) {
        folder.rule().check(PRODUCTION);
    }

    @ParameterizedTest
    @EnumSource
    void folderThatLooksUp_isCaught(Folder folder) {
        JavaClasses canary = new ClassFileImporter().importPackages("io.fairlead." + folder.name + ".canary");

        assertThat(canary).isNotEmpty();
        assertThatThrownBy(() -> folder.rule().check(canary))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("LooksUp");
    }

    @Test
    void packages_doNotKnowEachOtherBothWays() {
        NO_CYCLES.check(PRODUCTION);
    }

    @Test
    void packagesThatDo_areCaught() {
        JavaClasses canary = new ClassFileImporter().importPackages("io.fairlead.canary");

        assertThatThrownBy(() -> NO_CYCLES.check(canary))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Cycle detected")
                .hasMessageContaining("canary.hen")
                .hasMessageContaining("canary.egg");
    }

    @Test
    void everyFolder_hasClassesToJudge() {
        for (Folder folder : Folder.values()) {
            assertThat(PRODUCTION.that(resideInAPackage("io.fairlead." + folder.name + "..")))
                    .as(folder.name)
                    .isNotEmpty();
        }
    }
}

package io.fairlead.repository;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.fairlead.fleet.root.Condition;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.TypeStore;
import io.fairlead.model.TransitionTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What changes data has one owner: the store's library, the writers of the index, those of conditions. */
class OwnersTest {
    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fairlead");

    /** The methods of the index by which it changes; all other public ones read. */
    private static final Map<String, Set<String>> INDEX_WRITERS = Map.of(
            FleetIndex.class.getName(), Set.of("open", "shared"),
            TypeStore.class.getName(), Set.of("keep", "shared"));

    enum Owner {
        JACKSON(
                noClasses()
                        .that()
                        .resideInAnyPackage(
                                "io.fairlead.index..",
                                "io.fairlead.storage..",
                                "io.fairlead.http..",
                                "io.fairlead.canary.owners..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("tools.jackson..", "com.fasterxml.."),
                "UsesJackson"),
        LEDGERS(
                noClasses()
                        .that()
                        .resideOutsideOfPackages("io.fairlead.index..", "io.fairlead.clustersync..")
                        .should()
                        .dependOnClassesThat()
                        .haveFullyQualifiedName(ClusterLedger.class.getName()),
                "WritesLedger"),
        INDEX(
                noClasses()
                        .that()
                        .resideOutsideOfPackages("io.fairlead.index..", "io.fairlead.clustersync..")
                        .should()
                        .accessTargetWhere(new DescribedPredicate<JavaAccess<?>>("it changes the index") {
                            @Override
                            public boolean test(JavaAccess<?> access) {
                                return INDEX_WRITERS
                                        .getOrDefault(access.getTargetOwner().getFullName(), Set.of())
                                        .contains(access.getName());
                            }
                        }),
                "WritesIndex"),
        /** Each condition type has one writer: the class that makes the status of its kind. */
        CONDITIONS(
                noClasses()
                        .that()
                        .doNotHaveFullyQualifiedName("io.fairlead.fleet.StatusDocument")
                        .and()
                        .doNotHaveFullyQualifiedName("io.fairlead.fleet.pins.PinReport$Observed")
                        .and()
                        .doNotHaveFullyQualifiedName("io.fairlead.fleet.conditions.ConditionRecords")
                        .and()
                        .doNotHaveFullyQualifiedName("io.fairlead.fleet.exclusive.RuleStatus")
                        .and()
                        .doNotHaveFullyQualifiedName("io.fairlead.fleet.exclusive.PublishedConditions")
                        .and()
                        .doNotHaveFullyQualifiedName("io.fairlead.fleet.publication.PublicationStatus")
                        .should()
                        .callMethod(Condition.class, "merge", JsonNode.class, List.class, long.class, Instant.class),
                "WritesCondition"),
        TRANSITIONS(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(
                                "io.fairlead.model", "io.fairlead.fleet.root", "io.fairlead.hosted.meta")
                        .should()
                        .dependOnClassesThat()
                        .haveFullyQualifiedName(TransitionTime.class.getName()),
                "WritesCondition");

        @SuppressWarnings("ImmutableEnumChecker") // it is
        private final ArchRule rule;

        private final String canary;

        Owner(ArchRule rule, String canary) {
            this.rule = rule;
            this.canary = canary;
        }
    }

    private static ArchRule libraryOnlyIn(String room, String library) {
        return noClasses().that().resideOutsideOfPackage(room).should().dependOnClassesThat(resideInAPackage(library));
    }

    @ParameterizedTest
    @CsvSource({"io.fairlead.storage.., org.rocksdb..", "io.fairlead.credentials.jwt.., com.nimbusds.."})
    void library_isUsedByItsOwnerAlone(String room, String library) {
        libraryOnlyIn(room, library).check(PRODUCTION);
    }

    /** Without a canary, which would make the library one of this module's: to this rule its owner is one. */
    @ParameterizedTest
    @CsvSource({"io.fairlead.storage., org.rocksdb..", "io.fairlead.credentials.jwt., com.nimbusds.."})
    void libraryElsewhere_isCaught(String owner, String library) {
        assertThatThrownBy(() -> libraryOnlyIn("io.fairlead.index..", library).check(PRODUCTION))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(owner);
    }

    @ParameterizedTest
    @EnumSource
    void ownedThing_isUsedByItsOwnerAlone(Owner owner) {
        owner.rule.check(PRODUCTION);
    }

    @ParameterizedTest
    @EnumSource
    void anotherUser_isCaught(Owner owner) {
        JavaClasses canary = new ClassFileImporter().importPackages("io.fairlead.canary.owners");

        assertThatThrownBy(() -> owner.rule.check(canary))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(owner.canary);
    }
}

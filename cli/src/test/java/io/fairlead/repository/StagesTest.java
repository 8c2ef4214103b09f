package io.fairlead.repository;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request passes the stages of the front end in order: each is made in one place, and sees what was before it alone. */
class StagesTest {
    private static final String GATEWAY = "io.fairlead.gateway.";

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fairlead.gateway");

    /** In the order of the request, with the type that proves that it passed and the one class that makes it. */
    enum Stage {
        SELECT("select", "Selected", "Selector"),
        INFO("info", "Described", "Described"),
        AUTHN("authn", "Authenticated", "Authentication"),
        ENTER("enter", "Entered", "Gate"),
        IMPERSONATE("impersonate", "Acting", "Impersonation"),
        FLOW("flow", "Admitted", "Flow"),
        AUTHZ("authz", "Authorized", "Authorized"),
        ROUTE_HOSTED("route", "ToHosted", "Router"),
        ROUTE_ATTACHED("route", "ToAttached", "Router"),
        JUDGE("pin", "Judged", "PinCheck"),
        PIN("pin", "Pinned", "Judged");

        private final String room;
        private final String proof;
        private final String maker;

        Stage(String room, String proof, String maker) {
            this.room = room;
            this.proof = GATEWAY + room + "." + proof;
            this.maker = GATEWAY + room + "." + maker;
        }

        /** The classes that call a constructor of the proof, be it by reference. */
        Set<String> makers(JavaClasses classes) {
            return classes.stream()
                    .filter(judged -> judged.getCodeUnitAccessesFromSelf().stream()
                            .anyMatch(access -> access.getName().equals(JavaConstructor.CONSTRUCTOR_NAME)
                                    && access.getTargetOwner().getFullName().equals(proof)))
                    .map(JavaClass::getFullName)
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** What comes after it is unknown to it. */
        ArchRule seesNothingLater() {
            String[] later = Stream.of(values())
                    .filter(other -> other.compareTo(this) > 0 && !other.room.equals(room))
                    .map(other -> GATEWAY + other.room + "..")
                    .toArray(String[]::new);
            return noClasses()
                    .that()
                    .resideInAPackage(GATEWAY + room + "..")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(later))
                    .allowEmptyShould(true)
                    .as(room + " sees none of the stages after it");
        }
    }

    @ParameterizedTest
    @EnumSource
    void proof_isMadeByOneClass(Stage stage) {
        assertThat(stage.makers(PRODUCTION)).containsExactly(stage.maker);
    }

    /** A record, or a constructor for all, would leave it to whoever writes the next stage. */
    @ParameterizedTest
    @EnumSource
    void proof_cannotBeMadeFromOutside(Stage stage) {
        assertThat(openConstructors(PRODUCTION.get(stage.proof))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void stage_seesNoLaterOne(Stage stage) {
        stage.seesNothingLater().check(PRODUCTION);
    }

    @ParameterizedTest
    @EnumSource(names = {"SELECT", "AUTHN", "ENTER", "IMPERSONATE", "FLOW", "ROUTE_HOSTED", "ROUTE_ATTACHED", "PIN"})
    void anotherMaker_isCaught(Stage stage) {
        assertThat(stage.makers(canary(stage.room))).contains(GATEWAY + stage.room + ".MakesProof");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"ROUTE_HOSTED", "ROUTE_ATTACHED", "JUDGE", "PIN"},
            mode = EnumSource.Mode.EXCLUDE)
    void stageThatLooksAhead_isCaught(Stage stage) {
        JavaClasses canary = canary(stage.room + ".canary");

        assertThatThrownBy(() -> stage.seesNothingLater().check(canary))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("LooksAhead");
    }

    @Test
    void proofThatAnybodyMakes_isCaught() {
        assertThat(openConstructors(canary("select.canary").get(GATEWAY + "select.canary.OpenProof")))
                .isNotEmpty();
    }

    private static List<String> openConstructors(JavaClass proof) {
        return proof.getConstructors().stream()
                .filter(constructor -> constructor.getModifiers().contains(JavaModifier.PUBLIC)
                        || constructor.getModifiers().contains(JavaModifier.PROTECTED))
                .map(JavaCodeUnit::getFullName)
                .toList();
    }

    private static JavaClasses canary(String room) {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
                .importPackages(GATEWAY + room);
        assertThat(classes).isNotEmpty();
        return classes;
    }
}

package io.fairlead.repository;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.Router;
import org.junit.jupiter.api.Test;

/** The handlers of a hosted cluster do not see each other's kinds, and nothing but the router makes routes. */
class RoomsTest {
    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fairlead");

    private static final ArchRule RUNTIME_SEES_NO_BUILT_IN_KIND = noClasses()
            .that()
            .resideInAPackage("io.fairlead.hosted.runtime..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fairlead.hosted.base..",
                    "io.fairlead.hosted.cluster..",
                    "io.fairlead.hosted.discovery..",
                    "io.fairlead.hosted.kinds..",
                    "io.fairlead.hosted.openapi..",
                    "io.fairlead.hosted.review..")
            .orShould()
            .dependOnClassesThat()
            .haveSimpleName("BuiltInKind");

    private static final ArchRule BASE_SEES_NO_CUSTOM_RESOURCE = noClasses()
            .that()
            .resideInAPackage("io.fairlead.hosted.base..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fairlead.hosted.cluster..", "io.fairlead.hosted.crd..", "io.fairlead.hosted.runtime..");

    private static final ArchRule ROUTER_ALONE_MAKES_ROUTES = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(Router.class.getName())
            .and()
            .doNotHaveFullyQualifiedName(Route.class.getName())
            .and()
            .areNotAssignableTo(Route.class)
            .should()
            .callConstructorWhere(new DescribedPredicate<JavaConstructorCall>("it makes a route") {
                @Override
                public boolean test(JavaConstructorCall call) {
                    return call.getTargetOwner().isAssignableTo(Route.class);
                }
            });

    @Test
    void rooms_doNotSeeEachOthersKinds() {
        RUNTIME_SEES_NO_BUILT_IN_KIND.check(PRODUCTION);
        BASE_SEES_NO_CUSTOM_RESOURCE.check(PRODUCTION);
        ROUTER_ALONE_MAKES_ROUTES.check(PRODUCTION);
    }

    @Test
    void roomThatLooksAcross_isCaught() {
        assertCaught(RUNTIME_SEES_NO_BUILT_IN_KIND, "io.fairlead.hosted.runtime.canary");
        assertCaught(BASE_SEES_NO_CUSTOM_RESOURCE, "io.fairlead.hosted.base.canary");
        assertCaught(ROUTER_ALONE_MAKES_ROUTES, "io.fairlead.gateway.route");
    }

    private static void assertCaught(ArchRule rule, String canary) {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
                .importPackages(canary);
        assertThatThrownBy(() -> rule.check(classes))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("LooksAcross");
    }
}

package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster;
import io.fairlead.model.UserInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may write which rules, and whose rights they have. */
final class ExclusiveRightsTest extends ExclusiveFixture {
    @Test
    void anAuthorWithoutRights_isToldWhichOneIsMissing() {
        letWriteRules(AUTHOR);
        ruleBy(AUTHOR, "mine", ABOUT_MAPS + ", scope: Fleet, " + HOSTS);
        map(EU, "shop", "one", "host: a.example");
        map(US, "shop", "two", "host: a.example");

        awaitCondition("mine", "Observing", "False", "AuthorForbidden");
        assertThat(condition("mine", "Observing").path("message").asString(""))
                .contains("\"author\" may not list configmaps");
        assertThat(condition("mine", "Conflict").path("status").asString("")).isEqualTo("Unknown");
        assertThat(status("mine").path("objects").asInt()).isZero();
    }

    /** One who is impersonated in the root cluster has the name of a user whom other clusters let in. */
    @Test
    void userWhomTheRootClusterAloneKnows_writesNoRule() {
        letWriteRules(AUTHOR);
        RootCluster.Answer refused = RootCluster.sendInOneCluster(
                root.root, AUTHOR, "POST", RULES, text("mine", ABOUT_MAPS + ", scope: Fleet, " + HOSTS));
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message()).contains("user \"author\" is known in this cluster alone");

        ruleBy(AUTHOR, "mine", ABOUT_MAPS + ", scope: Fleet, " + HOSTS);
        String label = "{metadata: {labels: {a: b}}}";
        assertThat(RootCluster.sendInOneCluster(root.root, AUTHOR, "PATCH", RULES + "/mine", label)
                        .code())
                .isEqualTo(200);
        String scope = "{spec: {scope: Cluster}}";
        assertThat(RootCluster.sendInOneCluster(root.root, AUTHOR, "PATCH", RULES + "/mine", scope)
                        .code())
                .isEqualTo(403);
    }

    @Test
    void theAuthor_isWhoWroteTheRule_whateverTheObjectSays() {
        letWriteRules(AUTHOR);
        String forged = "{apiVersion: fairlead.io/v1alpha1, kind: ExclusiveKey, metadata: {name: mine, annotations: {"
                + Author.ANNOTATION + ": '{\"username\": \"admin\", \"groups\": [\"system:masters\"]}'}}, spec: {"
                + ABOUT_MAPS + ", scope: Fleet, " + HOSTS + "}}";
        assertThat(root.send(AUTHOR, "POST", RULES, forged).code()).isEqualTo(201);
        assertThat(Author.of(rule("mine"))).map(UserInfo::name).contains("author");

        root.send(
                AUTHOR,
                "PATCH",
                RULES + "/mine",
                "{metadata: {annotations: {" + Author.ANNOTATION + ": '{\"username\": \"admin\"}'}}}");
        assertThat(Author.of(rule("mine"))).map(UserInfo::name).contains("author");

        root.send(ADMIN, "PATCH", RULES + "/mine", "{metadata: {labels: {a: b}}}");
        assertThat(Author.of(rule("mine"))).map(UserInfo::name).contains("author");
        root.send(ADMIN, "PATCH", RULES + "/mine", "{spec: {scope: Cluster}}");
        assertThat(Author.of(rule("mine"))).map(UserInfo::name).contains("admin");
    }

    @Test
    void invalidRules_areRefused_withTheField() {
        assertThat(refused("key: 'object.'")).containsExactly("spec.key");
        assertThat(refused("key: 'objekt.x'")).containsExactly("spec.key");
        assertThat(refused("key: '1 + \"a\"'")).containsExactly("spec.key");
        assertThat(refused("key: 'object.x', lookups: [{name: cluster, resource: {version: v1, resource: pods},"
                        + " objectName: 'object.'}]"))
                .containsExactly("spec.lookups[0].name", "spec.lookups[0].objectName");
        assertThat(refused("key: 'object.x', lookups: [{name: package, resource: {version: v1, resource: pods},"
                        + " objectName: 'object.x'}]"))
                .containsExactly("spec.lookups[0].name");
        assertThat(refused("key: 'object.x', withdraw: [{resource: {version: v1, resource: secrets}}]"))
                .containsExactly("spec.withdraw[0].resource");
        String secrets =
                "clusters: {all: true}, resource: {version: v1, resource: secrets}, scope: Fleet, key: 'object.x'";
        assertThat(root.send(ADMIN, "POST", RULES, text("bad", secrets)).fields())
                .containsExactly("spec.resource");
    }

    private List<String> refused(String rest) {
        RootCluster.Answer answer =
                root.send(ADMIN, "POST", RULES, text("bad", ABOUT_MAPS + ", scope: Fleet, " + rest));
        assertThat(answer.code()).isEqualTo(422);
        return answer.fields();
    }
}

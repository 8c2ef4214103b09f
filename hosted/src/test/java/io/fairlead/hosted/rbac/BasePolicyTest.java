package io.fairlead.hosted.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class BasePolicyTest {
    private static ObjectNode role(String name) {
        return BootstrapPolicy.objects().stream()
                .filter(object -> object.path("kind").asString().equals("ClusterRole"))
                .filter(object -> object.at("/metadata/name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void unchangedRoles_shareTheirRulesAndTheCompiledForm() {
        ObjectNode one = role("view");
        ObjectNode other = role("view");
        assertThat(one.path("rules")).isNotSameAs(other.path("rules"));

        BasePolicy.share(one);
        BasePolicy.share(other);

        assertThat(one.path("rules")).isSameAs(other.path("rules"));
        assertThat(one.at("/metadata/labels")).isSameAs(other.at("/metadata/labels"));
        assertThat(one).isEqualTo(role("view"));
        List<PolicyRule> rules = BasePolicy.rules(one.path("rules")).orElseThrow();
        assertThat(BasePolicy.rules(other.path("rules")).orElseThrow())
                .isSameAs(rules)
                .isEqualTo(PolicyRule.listOf(role("view").path("rules")));
    }

    @Test
    void changedRole_keepsItsOwnRules() {
        ObjectNode changed = role("view");
        changed.withArrayProperty("rules").remove(0);
        ObjectNode expected = changed.deepCopy();

        BasePolicy.share(changed);

        assertThat(changed).isEqualTo(expected);
        assertThat(BasePolicy.rules(changed.path("rules"))).isEmpty();
    }
}

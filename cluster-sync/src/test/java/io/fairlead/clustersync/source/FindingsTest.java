package io.fairlead.clustersync.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The words of conditions. */
class FindingsTest {
    @Test
    void forbiddenToNobody_isACredentialThatIsNotAccepted_andNoMatterOfRights() {
        Finding finding =
                Findings.ofAnswer(403, "/version", "forbidden: User \"system:anonymous\" cannot get path \"/version\"");

        assertThat(finding.reason()).isEqualTo("CredentialRefused");
        assertThat(finding.message())
                .contains("does not accept Fairlead's credential", "/version", "expected", "system:anonymous")
                .doesNotContain("may not read");
    }

    @Test
    void forbiddenToAUser_isAMatterOfRights() {
        Finding finding = Findings.ofAnswer(
                403, "/version", "forbidden: User \"system:anonymous2\" cannot get path \"/version\"");

        assertThat(finding.reason()).isEqualTo("CredentialForbidden");
        assertThat(finding.message()).contains("may not read /version", "system:anonymous2");
    }
}

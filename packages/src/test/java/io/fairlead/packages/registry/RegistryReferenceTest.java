package io.fairlead.packages.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** References to images, and the credentials for where they are. */
class RegistryReferenceTest {
    private static final String DIGEST = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "registry.example.com/org/package, https://registry.example.com, org/package",
        "registry.example.com:5000/package:v1.2.3, https://registry.example.com:5000, package",
        "docker.io/org/package, https://registry-1.docker.io, org/package",
        "localhost/package, http://localhost, package",
        "localhost:5000/package, http://localhost:5000, package",
        "127.0.0.1:5000/a/b/c_d--e.f, http://127.0.0.1:5000, a/b/c_d--e.f",
        "[::1]:5000/package, http://[::1]:5000, package",
        "127.0.0.1.example.com/package, https://127.0.0.1.example.com, package"
    })
    void reference_leadsToARegistry(String text, String origin, String repository) {
        RegistryReference reference = RegistryReference.parse(text + "@" + DIGEST);

        assertThat(reference.origin()).hasToString(origin);
        assertThat(reference.repository()).isEqualTo(repository);
        assertThat(reference.digest()).hasToString(DIGEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "registry.example.com/package:v1",
                "registry.example.com/package",
                "org/package@" + DIGEST,
                "package@" + DIGEST,
                "registry.example.com/../package@" + DIGEST,
                "registry.example.com/a b@" + DIGEST,
                "registry.example.com/Package@" + DIGEST,
                "user@registry.example.com/package@" + DIGEST,
                "registry.example.com/package@sha256:0",
                "registry.example.com/package@" + DIGEST + "\n",
                ""
            })
    void otherText_isRefused(String text) {
        assertThatThrownBy(() -> RegistryReference.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"auths\": {\"r.example.com\": {\"auth\": \"YW5uOnNlY3JldA==\"}}}",
                "{\"auths\": {\"https://r.example.com/v1/\": {\"auth\": \"YW5uOnNlY3JldA==\"}}}",
                "{\"auths\": {\"r.example.com\": {\"username\": \"ann\", \"password\": \"secret\"}}}"
            })
    void credentials_areThoseOfTheHost(String text) throws IOException {
        RegistryCredentials credentials = RegistryCredentials.read(Files.writeString(folder.resolve("c"), text));

        assertThat(credentials.basic("r.example.com")).contains("Basic YW5uOnNlY3JldA==");
        assertThat(credentials.basic("s.example.com")).isEmpty();
        assertThat(credentials.basic("example.com")).isEmpty();
    }

    @Test
    void fileThatIsMissing_hasNoCredentials() throws IOException {
        assertThat(RegistryCredentials.read(folder.resolve("none")).basic("r.example.com"))
                .isEmpty();
    }

    @Test
    void fileThatIsNoJson_isNamedButNotShown() throws IOException {
        Path file = Files.writeString(folder.resolve("c"), "secret");

        assertThatThrownBy(() -> RegistryCredentials.read(file))
                .isInstanceOf(RegistryException.class)
                .hasMessage(file + ": no JSON");
    }
}

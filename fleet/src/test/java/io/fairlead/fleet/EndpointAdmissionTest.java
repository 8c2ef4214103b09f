package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.fairlead.hosted.AdmissionHook.Operation;
import io.fairlead.hosted.AdmissionHook.Review;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class EndpointAdmissionTest {
    private final Registration registration = new Registration(
            () -> {
                throw new AssertionError("nothing is to be looked up");
            },
            url -> Optional.of(URI.create(url).getHost().concat(" is refused")));

    @ParameterizedTest
    @ValueSource(strings = {"no url", "https://", "unix:/run/socket"})
    void admit_endpointThatIsNone_isLeftToValidation(String endpoint) {
        ObjectNode cluster = Json.object();
        cluster.putObject("metadata").put("name", "prod");
        cluster.putObject("spec").putObject("attached").putArray("endpoints").add(endpoint);

        assertThatCode(() -> registration.admit(new Review(
                        Operation.CREATE,
                        ClusterKind.of(registration).type(),
                        "",
                        "",
                        "prod",
                        UserInfo.of("jane", List.of()),
                        true,
                        null,
                        cluster,
                        false)))
                .doesNotThrowAnyException();
    }
}

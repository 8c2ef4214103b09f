package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.HolderType;
import io.fairlead.net.UpstreamFailure;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a failed list is taken for. */
class ListFailureTest {
    private static final Subject<CrdObject> SUBJECT = new Subject<>(
            CrdObject.class, "/crds", Set.of(HolderType.CRD), _ -> Optional.empty(), _ -> "", CrdObject::new);

    @ParameterizedTest
    @CsvSource({
        "401, false, CredentialRefused",
        "403, false, CredentialForbidden",
        "404, false, NotKubernetes",
        "400, false, UnexpectedAnswer",
        "499, false, UnexpectedAnswer",
        "500, true, UnexpectedAnswer",
        "503, true, UnexpectedAnswer",
        "399, false, ListFailed",
        "0, false, ListFailed",
    })
    void answer_isNamed_andAServerThatIsNotReadyIsAwaited(int code, boolean away, String reason) {
        ListFailure failure = ListFailure.of(
                new RuntimeException(new KubernetesClientException(
                        "of a test",
                        code,
                        new StatusBuilder().withMessage("in detail").build())),
                SUBJECT,
                UnaryOperator.identity());

        assertThat(failure.away()).isEqualTo(away);
        assertThat(failure.excess()).isEqualTo(ListFailure.Excess.NONE);
        assertThat(failure.finding().status()).isEqualTo(Finding.Status.FALSE);
        assertThat(failure.finding().reason()).isEqualTo(reason);
        assertThat(failure.finding().message()).contains("/crds");
        if (code >= 400) {
            assertThat(failure.finding().message()).contains(String.valueOf(code));
        }
        if (code >= 400 && code != 404) {
            assertThat(failure.finding().message()).endsWith(": in detail");
        }
        if (code < 400) {
            assertThat(failure.finding().message()).contains("not a list of CrdObject");
        }
    }

    @Test
    void answerWithoutAStatus_isNamedByItsCode() {
        ListFailure failure = ListFailure.of(
                new KubernetesClientException("of a test", 500, null), SUBJECT, UnaryOperator.identity());

        assertThat(failure.finding().message()).isEqualTo("the server answers 500 for /crds");
    }

    @ParameterizedTest
    @CsvSource({
        "ADDRESS_DENIED, AddressDenied, true",
        "UNKNOWN_HOST, UnknownHost, true",
        "CONNECT, ConnectionFailed, true",
        "TLS, TLSFailed, true",
        "CERTIFICATE, CertificateRefused, true",
        "TIMEOUT, Timeout, true",
        "RESET, ConnectionReset, true",
        "PROTOCOL, ProtocolError, false",
        "OVERLOADED, Overloaded, true",
        "CLOSED, Closed, true",
    })
    void failureOnTheWay_isNamed_andAwaitedUnlessTheServerIsToBlame(
            UpstreamFailure.Kind kind, String reason, boolean away) {
        UpstreamException way = new UpstreamException(new UpstreamFailure(kind, "the way", true));

        ListFailure failure =
                ListFailure.of(new RuntimeException(new RuntimeException(way)), SUBJECT, UnaryOperator.identity());

        assertThat(failure.finding()).isEqualTo(Finding.no(reason, "the way"));
        assertThat(failure.away()).isEqualTo(away);
        assertThat(failure.excess()).isEqualTo(ListFailure.Excess.NONE);
    }

    @Test
    void tooMuch_isToldAsSuch_howeverDeepItIs() {
        ListFailure failure = ListFailure.of(
                new RuntimeException(new TooMuchException("a page is large")), SUBJECT, UnaryOperator.identity());

        assertThat(failure.finding()).isEqualTo(Finding.no("AnswerTooLarge", "a page is large"));
        assertThat(failure.away()).isFalse();
        assertThat(failure.excess()).isEqualTo(ListFailure.Excess.OF_READING);
        assertThat(failure.isTooSoon()).isFalse();
    }

    @Test
    void failureThatLeadsBackToItself_isLookedThroughOnlySoFar() {
        RuntimeException one = new RuntimeException("one");
        RuntimeException other = new RuntimeException("other", one);
        one.initCause(other);

        assertThat(ListFailure.of(one, SUBJECT, UnaryOperator.identity())
                        .finding()
                        .reason())
                .isEqualTo("ListFailed");
    }
}

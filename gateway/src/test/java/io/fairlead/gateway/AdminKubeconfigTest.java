package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.pki.KeyedCertificate;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the administrator's kubeconfig when a server starts anew, maybe on another port. */
class AdminKubeconfigTest {
    private static final KeyedCertificate ADMIN = admin();
    private static final String CA = base64("the CA");

    @TempDir
    private Path folder;

    private Path file = Path.of("admin.kubeconfig");

    @BeforeEach
    void writeFirst() throws Exception {
        file = folder.resolve("admin.kubeconfig");
        write(file, "https://localhost:1111", "the CA", ADMIN);
    }

    @Test
    void firstStart_leadsToRoot() throws Exception {
        Kubeconfig written = Kubeconfig.read(file);

        assertThat(written.currentContext()).isEqualTo("root");
        assertThat(cluster("root"))
                .containsExactly(
                        Map.entry("certificate-authority-data", CA),
                        Map.entry("server", "https://localhost:1111/clusters/root"));
        assertThat(written.names("users")).containsExactly("fairlead-admin");
    }

    @Test
    void entriesOfThisServer_followItAndKeepTheirForm() throws Exception {
        add("dev", "https://localhost:1111/clusters/dev", CA);
        add("prod", "https://prod.fleet.example.com:1111", CA);

        write(file, "https://localhost:2222", "the CA", ADMIN);

        assertThat(cluster("root")).containsEntry("server", "https://localhost:2222/clusters/root");
        assertThat(cluster("dev")).containsEntry("server", "https://localhost:2222/clusters/dev");
        assertThat(cluster("prod"))
                .containsEntry("server", "https://prod.fleet.example.com:2222")
                .containsEntry("tls-server-name", "prod");
    }

    @Test
    void entriesOfThisServer_followItsCa() throws Exception {
        add("dev", "https://localhost:1111/clusters/dev", CA);

        write(file, "https://localhost:1111", "another CA", ADMIN);

        assertThat(cluster("dev")).containsEntry("certificate-authority-data", base64("another CA"));
    }

    @Test
    void entriesOfOthers_stay() throws Exception {
        add("far", "https://elsewhere:1111/clusters/far", base64("the CA of others"));
        add("odd", "not a URL", "");
        Map<String, Object> far = cluster("far");
        Map<String, Object> odd = cluster("odd");

        write(file, "https://localhost:2222", "another CA", ADMIN);

        assertThat(cluster("far")).isEqualTo(far);
        assertThat(cluster("odd")).isEqualTo(odd);
    }

    @Test
    void namespaceAndCurrentContext_stay() throws Exception {
        add("dev", "https://localhost:1111/clusters/dev", CA);
        Kubeconfig kubeconfig = Kubeconfig.read(file);
        kubeconfig.setContext("root", Map.of("cluster", "root", "user", "fairlead-admin", "namespace", "apps"));
        kubeconfig.setCurrentContext("dev");
        kubeconfig.write(file);

        write(file, "https://localhost:2222", "the CA", ADMIN);

        Kubeconfig written = Kubeconfig.read(file);
        assertThat(written.currentContext()).isEqualTo("dev");
        assertThat(written.entry("contexts", "context", "root").orElseThrow()).containsEntry("namespace", "apps");
    }

    @Test
    void administratorOfThisCertificate_isWrittenOnce() throws Exception {
        Map<String, Object> user = administrator();

        write(file, "https://localhost:2222", "the CA", ADMIN);

        assertThat(administrator()).isEqualTo(user);
    }

    @Test
    void administratorOfAnotherCertificate_isReplaced() throws Exception {
        KeyedCertificate other = admin();

        write(file, "https://localhost:1111", "the CA", other);

        assertThat(administrator()).containsEntry("client-certificate-data", base64(other.certificate()));
    }

    @Test
    void keyThatSaysNotOfWhatSortItIs_isReplaced() throws Exception {
        Kubeconfig kubeconfig = Kubeconfig.read(file);
        kubeconfig.setUser("fairlead-admin", ADMIN.certificate(), ADMIN.key());
        kubeconfig.write(file);

        write(file, "https://localhost:1111", "the CA", ADMIN);

        assertThat(String.valueOf(administrator().get("client-key-data")))
                .startsWith(base64("-----BEGIN EC PRIVATE KEY-----"));
    }

    @Test
    void whatIsNoKubeconfig_isReplaced() throws Exception {
        Files.writeString(file, "[");

        write(file, "https://localhost:2222", "the CA", ADMIN);

        assertThat(cluster("root")).containsEntry("server", "https://localhost:2222/clusters/root");
    }

    private void add(String name, String server, String caData) throws Exception {
        Kubeconfig kubeconfig = Kubeconfig.read(file);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("server", server);
        fields.put("certificate-authority-data", caData);
        fields.put("tls-server-name", name);
        kubeconfig.setCluster(name, fields);
        kubeconfig.setContext(name, name, "fairlead-admin");
        kubeconfig.write(file);
    }

    private Map<String, Object> cluster(String name) throws Exception {
        return Kubeconfig.read(file).entry("clusters", "cluster", name).orElseThrow();
    }

    private Map<String, Object> administrator() throws Exception {
        return Kubeconfig.read(file).entry("users", "user", "fairlead-admin").orElseThrow();
    }

    private static KeyedCertificate admin() {
        try {
            X509Bundle made = new CertificateBuilder()
                    .ecp256()
                    .subject("CN=fairlead-admin")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
            return new KeyedCertificate(made.getCertificatePEM(), made.getPrivateKeyPEM());
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static void write(Path file, String endpoint, String ca, KeyedCertificate admin) throws IOException {
        AdminKubeconfig.write(file, AdminKubeconfig.read(file), endpoint, ca, admin);
    }
}

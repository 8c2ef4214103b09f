package io.fairlead.cli.types;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fairlead.cli.FairleadCommand;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks: what they hold, and what is found when they are verified. */
class TypeLockTest {
    private static final String UNKNOWN_KEYWORD =
            Widgets.SIZED.replace("type: integer,", "type: integer, x-kubernetes-future: 1,");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void lock_isReadAsItWasWritten() {
        LockedTypes dev = cluster(Widgets.SIZED);
        LockedTypes other = LockedTypes.ofCluster("prod", List.of(type(Widgets.SIZED.replace("Widget", "Gadget"))));

        TypeLock.Pinned read = TypeLock.read(text(dev, other));

        assertThat(read.packages()).isEmpty();
        assertThat(read.clusters()).extracting(LockedTypes::name).containsExactly("dev", "prod");
        assertThat(text(read.clusters().toArray(LockedTypes[]::new))).isEqualTo(text(dev, other));
    }

    /** Exact decimals must survive the text. */
    @Test
    void definition_isHeldOnceAndExactly() {
        String definition = Widgets.SIZED.replace("1.5e3", "12345678901234567890.125");
        LockedTypes dev = cluster(definition);
        LockedTypes prod = LockedTypes.ofCluster("prod", List.of(type(definition)));

        byte[] text = text(dev, prod);

        assertThat(new String(text, UTF_8).split("\"maximum\"", -1)).hasSize(2);
        assertThat(TypeLock.read(text).clusters().getFirst().types()).isEqualTo(dev.types());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        v1alpha1          | v1alpha2          | apiVersion "types.fairlead.io/v1alpha2" (expected types.fairlead.io/v1alpha1)
        TypeLock          | Lock              | kind "Lock" (expected TypeLock)
        1.5E+3            | 1.6E+3            | the schema of version v1 has the digest v1:sha256:
        Namespaced        | Cluster           | the digest of a definition is v1:sha256:
        Widget.example    | Gadget.example    | is not what its definition says (Widget.example.com)
        "clusters"        | "other"           | clusters (expected a list)
        "packages"        | "clusters"        | duplicate field "clusters"
        "undetermined" : [ ] | "undetermined":5  | clusters[0].undetermined (expected a list)
        "undetermined" : [ ] | "other":[]        | clusters[0].undetermined (expected a list)
        "undetermined" : [ ] | "undetermined":[5] | clusters[0].undetermined[0] (expected type and why)
        """)
    void damagedLock_isRefused(String what, String with, String says) {
        String text = new String(text(cluster(Widgets.SIZED)), UTF_8);
        assertThat(text).contains(what);

        assertThatThrownBy(() -> TypeLock.read(text.replace(what, with).getBytes(UTF_8)))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining(says);
    }

    @Test
    void typesAsLocked_areNoFindings() {
        assertThat(verified(Widgets.SIZED, Widgets.SIZED)).isEmpty();
    }

    @Test
    void typeThatDrifted_isNamedWithClusterAndPath() {
        assertThat(verified(Widgets.SIZED, Widgets.SIZED.replace("1.5e3", "1600")))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.result()).isEqualTo(LockFinding.Result.DIFFERENT);
                    assertThat(finding.where()).isEqualTo("cluster dev");
                    assertThat(finding.type()).isEqualTo("Widget.example.com");
                    assertThat(finding.version()).isEqualTo("v1");
                    assertThat(finding.path()).isEqualTo(".spec.size");
                    assertThat(finding.rule()).isEqualTo("maximum");
                });
    }

    /** Somebody may call the change harmless, but it is not what was locked. */
    @Test
    void typeThatBecameWider_isDifferentToo() {
        assertThat(verified(Widgets.SIZED, Widgets.SIZED.replace(", maximum: 1.5e3", "")))
                .extracting(LockFinding::result)
                .containsExactly(LockFinding.Result.DIFFERENT);
    }

    @Test
    void typeThatIsGone_isDifferent() {
        LockVerification verification = new LockVerification();
        verification.verify("cluster dev", cluster(Widgets.SIZED), LockedTypes.ofCluster("dev", List.of()));

        assertThat(verification.findings())
                .extracting(LockFinding::result, LockFinding::type)
                .containsExactly(tuple(LockFinding.Result.DIFFERENT, "Widget.example.com"));
    }

    @Test
    void typeThatIsDefinedTwice_andOneKeptInAVersionThatIsNotServed_areUndetermined() {
        DefinitionDigests type = type(Widgets.SIZED);
        DefinitionDigests other = type(Widgets.SIZED.replace("Namespaced", "Cluster"));
        DefinitionDigests hidden = type(Widgets.SIZED.replace("storage: true", "storage: false"));

        assertThat(LockedTypes.ofCluster("dev", List.of(type, type)).undetermined())
                .isEmpty();
        assertThat(LockedTypes.ofCluster("dev", List.of(type, other)).undetermined())
                .containsKey("Widget.example.com");
        assertThat(LockedTypes.ofCluster("dev", List.of(hidden)).undetermined()).containsKey("Widget.example.com");
    }

    @Test
    void typeThatWasNotLocked_isOfNoAccount() {
        LockVerification verification = new LockVerification();
        verification.verify("cluster dev", LockedTypes.ofCluster("dev", List.of()), cluster(Widgets.SIZED));

        assertThat(verification.findings()).isEmpty();
    }

    @Test
    void typeThatIsNotUnderstood_isUnknownEvenIfItIsTheSame() {
        assertThat(verified(UNKNOWN_KEYWORD, UNKNOWN_KEYWORD)).singleElement().satisfies(finding -> {
            assertThat(finding.result()).isEqualTo(LockFinding.Result.UNKNOWN);
            assertThat(finding.found()).contains("x-kubernetes-future");
        });
        assertThat(verified(Widgets.SIZED, UNKNOWN_KEYWORD))
                .extracting(LockFinding::result)
                .containsOnly(LockFinding.Result.DIFFERENT);
    }

    @Test
    void packageThatIsAsLocked_isExitCode0() throws IOException {
        TestPackage.write(folder.resolve("package"), TestPackage.PROVIDER);
        Path lock = lock("oci-layout:" + folder.resolve("package"));

        assertThat(verify(lock)).isZero();

        assertThat(out.toString()).isEqualTo("as locked: 0 clusters, 1 packages\n");
        assertThat(lock)
                .content()
                .contains("\"sort\" : \"Provider\"", "\"registry.example.com/family\"", "\">=v1.2.0\"");
    }

    @Test
    void packageThatDrifted_isExitCode2() throws IOException {
        Path package_ = folder.resolve("package");
        String before = TestPackage.write(package_, TestPackage.PROVIDER).text();
        Path lock = lock("oci-layout:" + package_);
        String after = TestPackage.write(package_, TestPackage.PROVIDER.replace("1.5e3", "1600"))
                .text();

        assertThat(verify(lock, "-o", "json")).isEqualTo(2);

        assertThat(out.toString())
                .contains("package oci-layout:" + package_, "Widget.example.com", ".spec.size", before, after);
    }

    @Test
    void packageWhoseTypesAreDerived_isExitCode3() throws IOException {
        TestPackage.write(folder.resolve("package"), TestPackage.CONFIGURATION);
        Path lock = lock("oci-layout:" + folder.resolve("package"));

        assertThat(verify(lock)).isEqualTo(3);

        assertThat(out.toString()).contains("XDatabase.example.com", "Unknown");
    }

    @Test
    void packageThatIsGone_isExitCode4() throws IOException {
        Path lock = lockOfAPackageThatIsGone();

        assertThat(verify(lock)).isEqualTo(4);

        assertThat(err.toString()).contains("there is no such directory");
        assertThat(out.toString()).isEmpty();
    }

    private Path lockOfAPackageThatIsGone() throws IOException {
        Path package_ = folder.resolve("package");
        TestPackage.write(package_, TestPackage.PROVIDER);
        Path lock = lock("oci-layout:" + package_);
        Files.move(package_, folder.resolve("elsewhere"));
        return lock;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"apiVersion": "types.fairlead.io/v1"} | apiVersion "types.fairlead.io/v1" (expected types.fairlead.io/v1alpha1)
        kind: TypeLock                         | invalid JSON
        {                                      | invalid JSON
        []                                     | apiVersion ""
        {"apiVersion": "types.fairlead.io/v1alpha1", "kind": "TypeLock", "clusters": [], "packages": []} | pins nothing
        """)
    void lockOfAnotherForm_isExitCode4(String text, String says) throws IOException {
        Path lock = Files.writeString(folder.resolve("types.lock"), text);

        assertThat(verify(lock)).isEqualTo(4);

        assertThat(err.toString()).startsWith("error: " + lock + ": ").contains(says);
    }

    /** JSON is YAML too, and the one spelling of a lock that keeps every number. */
    @ParameterizedTest
    @ValueSource(strings = {"table", "json", "yaml"})
    void lock_inEveryForm_isTheSameDocument(String form) throws IOException {
        TestPackage.write(folder.resolve("package"), TestPackage.PROVIDER);
        String source = "oci-layout:" + folder.resolve("package");
        String lock = Files.readString(lock(source));

        assertThat(execute("types", "lock", "-p", source, "-o", form)).isZero();

        assertThat(out.toString()).isEqualTo(lock);
    }

    @Test
    void lock_names_areWhatIsLocked() throws IOException {
        TestPackage.write(folder.resolve("package"), TestPackage.PROVIDER);
        String source = "oci-layout:" + folder.resolve("package");

        assertThat(execute("types", "lock", "-p", source, "-o", "name")).isZero();

        assertThat(out.toString()).isEqualTo(source + "\n");
    }

    @Test
    void lockThatIsMissing_isExitCode4() {
        assertThat(verify(folder.resolve("none.lock"))).isEqualTo(4);

        assertThat(err.toString()).contains("none.lock: there is no such file");
    }

    private Path lock(String source) throws IOException {
        assertThat(execute("types", "lock", "-p", source)).as("%s", err).isZero();
        Path lock = Files.writeString(folder.resolve("types.lock"), out.toString());
        out.getBuffer().setLength(0);
        return lock;
    }

    private int verify(Path lock, String... more) {
        String[] arguments = new String[more.length + 4];
        System.arraycopy(new String[] {"types", "verify", "--lock", lock.toString()}, 0, arguments, 0, 4);
        System.arraycopy(more, 0, arguments, 4, more.length);
        return execute(arguments);
    }

    private int execute(String... arguments) {
        return FairleadCommand.execute(List.of(arguments), new PrintWriter(out, true), new PrintWriter(err, true));
    }

    private static List<LockFinding> verified(String locked, String found) {
        LockVerification verification = new LockVerification();
        LockedTypes read = TypeLock.read(text(cluster(locked))).clusters().getFirst();
        verification.verify("cluster dev", read, cluster(found));
        return verification.findings();
    }

    private static LockedTypes cluster(String definition) {
        return LockedTypes.ofCluster("dev", List.of(type(definition)));
    }

    private static DefinitionDigests type(String definition) {
        return DefinitionDigests.of(
                Yaml.readAllExact(definition.getBytes(UTF_8)).getFirst().root());
    }

    private static byte[] text(LockedTypes... clusters) {
        return TypeLock.write(new TypeLock.Pinned(List.of(clusters), List.of()))
                .toPrettyString()
                .getBytes(UTF_8);
    }
}

package io.fairlead.credentials.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody's kubeconfig is replaced whole, or stays as it was. */
class KubeconfigFileTest {
    @TempDir
    private Path folder;

    @Test
    void update_missingFile_makesOneForItsOwnerAlone() throws Exception {
        Path file = folder.resolve("config");

        new KubeconfigFile(file).update(text -> text + "new");

        assertThat(file).hasContent("new");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(files()).containsExactly("config");
    }

    @Test
    void update_editFails_leavesTheFileAndNothingBesideIt() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), "old");

        assertThatThrownBy(() -> new KubeconfigFile(file).update(_ -> {
                    throw new KubeconfigException("broken");
                }))
                .hasMessage("broken");

        assertThat(file).hasContent("old");
        assertThat(files()).containsExactly("config");
    }

    @Test
    void update_readOnlyFile_isRefusedEvenForRoot() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));

        assertThatThrownBy(() -> new KubeconfigFile(file).update(_ -> "new"))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageContaining("read-only");

        assertThat(file).hasContent("old");
    }

    @Test
    void update_whileAnotherProgramHoldsIt_isRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), "old");
        Path lock = Files.createFile(folder.resolve("config.lock"));

        assertThatThrownBy(() -> new KubeconfigFile(file).update(_ -> "new")).hasMessageContaining("config.lock");

        assertThat(file).hasContent("old");
        assertThat(lock).exists();
    }

    @Test
    void update_throughALink_keepsTheLink() throws Exception {
        Path file = Files.writeString(folder.resolve("real"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("config"), file);

        new KubeconfigFile(link).update(_ -> "new");

        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("new");
    }

    @Test
    void update_throughALinkToNothingYet_makesItsTarget() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("config"), Path.of("between"));
        Files.createSymbolicLink(folder.resolve("between"), folder.resolve("real"));

        new KubeconfigFile(link).update(text -> text + "new");

        assertThat(link).isSymbolicLink();
        assertThat(folder.resolve("between")).isSymbolicLink();
        assertThat(folder.resolve("real")).hasContent("new");
    }

    @Test
    void update_linksInACircle_isRefused() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("config"), Path.of("config"));

        assertThatThrownBy(() -> new KubeconfigFile(link).update(_ -> "new"))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageContaining("circle");

        assertThat(link).isSymbolicLink();
    }

    @Test
    void update_socket_isRefused() throws Exception {
        Path socket = folder.resolve("s");
        try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listening.bind(UnixDomainSocketAddress.of(socket));

            assertThatThrownBy(() -> new KubeconfigFile(socket).update(_ -> "new"))
                    .hasMessage(socket + ": is not a regular file (expected a kubeconfig)");
        }
        assertThat(files()).containsExactly("s");
    }

    @Test
    void update_bytesThatAreNoText_saysSo() throws Exception {
        Path file = Files.write(folder.resolve("config"), new byte[] {'a', ':', (byte) 0xff});

        assertThatThrownBy(() -> new KubeconfigFile(file).update(_ -> "new"))
                .hasMessage(file + ": cannot be read (not UTF-8 text); nothing was changed");
    }

    @Test
    void update_folder_isRefused() {
        assertThatThrownBy(() -> new KubeconfigFile(folder).update(_ -> "new")).hasMessageContaining("is a folder");
    }

    @Test
    void update_inAFolderThatIsMissing_isRefused() {
        assertThatThrownBy(() -> new KubeconfigFile(folder.resolve("nowhere/config")).update(_ -> "new"))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageContaining("nowhere");
    }

    private Stream<String> files() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::getFileName).map(Path::toString).toList().stream();
        }
    }
}

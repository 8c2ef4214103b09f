package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * The Go program in {@code it-tests/readers}: what {@code net/http} and {@code golang.org/x/net/http2} read in bytes.
 *
 * <p>Without Go on the path a test that asks for it is skipped.
 */
final class GoReader implements AutoCloseable {
    /** What is asked before answers are read, so that neither side waits for the other's pipe. */
    private static final int QUESTIONS_BYTES_MAX = 32 * 1024;

    private static final long END_SECONDS_MAX = 10;

    private final Process process;
    private final DataOutputStream questions;
    private final DataInputStream answers;

    private final Path program;

    private GoReader(Path program, Process process) {
        this.program = program;
        this.process = process;
        this.questions = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), QUESTIONS_BYTES_MAX));
        this.answers = new DataInputStream(process.getInputStream());
    }

    static GoReader start() throws IOException, InterruptedException {
        Assumptions.assumeTrue(isGoInstalled(), "Go is on the path");
        Path program = Files.createTempFile("readers", "");
        Process build = new ProcessBuilder("go", "build", "-o", program.toString(), ".")
                .directory(sources().toFile())
                .inheritIO()
                .start();
        if (build.waitFor() != 0) {
            throw new IllegalStateException("go build failed in " + sources());
        }
        return new GoReader(
                program,
                new ProcessBuilder(program.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    private static boolean isGoInstalled() {
        for (String folder : System.getenv("PATH").split(":", -1)) {
            if (Files.isExecutable(Path.of(folder, "go"))) {
                return true;
            }
        }
        return false;
    }

    private static Path sources() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("it-tests/readers"))) {
            folder = Objects.requireNonNull(folder.getParent());
        }
        return folder.resolve("it-tests/readers");
    }

    /** The messages that a kind of reader, a letter of the program's, reads in each of some bytes. */
    List<List<String>> read(char kind, List<byte[]> all) throws IOException {
        List<List<String>> read = new ArrayList<>();
        int asked = 0;
        int bytes = 0;
        for (byte[] question : all) {
            if (bytes > 0 && bytes + question.length > QUESTIONS_BYTES_MAX) {
                hear(asked, read);
                asked = 0;
                bytes = 0;
            }
            questions.writeByte(kind);
            questions.writeInt(question.length);
            questions.write(question);
            asked++;
            bytes += question.length + 5;
        }
        hear(asked, read);
        return read;
    }

    private void hear(int count, List<List<String>> read) throws IOException {
        questions.flush();
        for (int i = 0; i < count; i++) {
            byte[] answer = new byte[answers.readInt()];
            answers.readFully(answer);
            read.add(new String(answer, ISO_8859_1).lines().toList());
        }
    }

    @Override
    public void close() throws IOException {
        questions.close();
        process.onExit()
                .completeOnTimeout(process, END_SECONDS_MAX, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly();
        answers.close();
        Files.delete(program);
    }
}

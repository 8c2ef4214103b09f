package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.authn.StaticTokens;
import io.fairlead.gateway.authn.Verdict;
import io.fairlead.gateway.select.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LONG_AGO = Duration.ofHours(1);

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path file;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TokenFile tokens;

    @BeforeEach
    void open() throws Exception {
        file = folder.resolve("tokens.csv");
        write("old,ann,1\n", LONG_AGO);
        tokens = TokenFile.open("tokenAuthFile", file, StaticTokens::parse, () -> NOW);
    }

    @Test
    void unchangedFile_staysAsItIs() throws Exception {
        write("old,ann,1\n", Duration.ofMinutes(1));

        assertThat(tokens.look(false)).isEqualTo(new Look.Same());
        assertThat(isKnown("old")).isTrue();
    }

    @Test
    void changedFile_isUsed_andWhatItLeftOutIsNobodys() throws Exception {
        write("new,ann,1\n", LONG_AGO);

        assertThat(tokens.look(false)).isEqualTo(new Look.Used());

        assertThat(isKnown("new")).isTrue();
        assertThat(isKnown("old")).isFalse();
        assertThat(tokens.look(false)).isEqualTo(new Look.Same());
    }

    @Test
    void fileThatWasChangedJustNow_mayNotBeWhole_unlessThatIsSaid() throws Exception {
        write("new,ann,1,admins", Duration.ofSeconds(1));
        assertThat(tokens.look(false)).isEqualTo(new Look.Same());
        assertThat(isKnown("new")).isFalse();

        write("new,ann,1,admins-of-nothing", Duration.ofSeconds(2));
        assertThat(tokens.look(false)).isEqualTo(new Look.Used());

        write("newer,ann,1,admins-of-nothing", Duration.ZERO);
        assertThat(tokens.look(true)).isEqualTo(new Look.Used());
    }

    @Test
    void timeOfAMachineWhoseClockIsAhead_delaysNothing() throws Exception {
        write("new,ann,1\n", Duration.ofMinutes(-5));

        assertThat(tokens.look(false)).isEqualTo(new Look.Used());
    }

    @Test
    void fileThatCannotBeUsed_changesNothing_andIsNamedWithoutItsTokens() throws Exception {
        write("old,ann,1\nsecret,joe\n", LONG_AGO);
        assertThat(tokens.look(false))
                .isEqualTo(new Look.Refused("tokenAuthFile: " + file + ": token file, line 2: 2 columns (expected"
                        + " token,user,uid and optionally \"group1,group2\", with a token and a user)"));

        Files.delete(file);
        assertThat(tokens.look(false))
                .isEqualTo(new Look.Refused("tokenAuthFile: " + file + " cannot be read (there is no such file)"));

        assertThat(isKnown("old")).isTrue();
        assertThat(tokens.isRefused()).isTrue();

        write("new,ann,1\n", LONG_AGO);
        assertThat(tokens.look(false)).isEqualTo(new Look.Used());
        assertThat(tokens.isRefused()).isFalse();
    }

    @Test
    void fileThatCannotBeUsedAtTheStart_isAFailure() throws Exception {
        write("secret\n", LONG_AGO);

        assertThatThrownBy(() -> TokenFile.open("tokenAuthFile", file, StaticTokens::parse, () -> NOW))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining(file.toString())
                .hasMessageNotContaining("secret");
    }

    private boolean isKnown(String token) {
        return tokens.atOnce(new Bearer(token, new Target.Gateway("/version", ""))) instanceof Verdict.Accepted;
    }

    private void write(String text, Duration ago) throws IOException {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(NOW.minus(ago)));
    }
}

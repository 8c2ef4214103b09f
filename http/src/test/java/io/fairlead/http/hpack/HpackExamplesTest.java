package io.fairlead.http.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.http.Malformed;
import io.netty.buffer.Unpooled;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of RFC 7541 appendix C, each group by one decoder, with the dynamic table after each block. */
class HpackExamplesTest {
    private static final int TABLE_BYTES = 4096;
    private static final int SMALL_TABLE_BYTES = 256;

    @ParameterizedTest
    @CsvSource({"2a, 10", "3f9a0a, 1337"})
    void integers(String block, int value) {
        assertThatExceptionOfType(Malformed.class)
                .isThrownBy(() -> decode(new HpackDecoder(0, 4096, 100), block))
                .withMessageContaining("table size " + value + " ");
    }

    @Test
    void literals() throws Malformed {
        check(
                TABLE_BYTES,
                List.of(
                        "400a637573746f6d2d6b65790d637573746f6d2d686561646572",
                        "040c2f73616d706c652f70617468",
                        "100870617373776f726406736563726574",
                        "82"),
                List.of("custom-key: custom-header\n", ":path: /sample/path\n", "password: secret\n", ":method: GET\n"),
                Collections.nCopies(4, "custom-key: custom-header\n"));
    }

    @Test
    void requests_plain() throws Malformed {
        check(
                TABLE_BYTES,
                List.of(
                        "828684410f7777772e6578616d706c652e636f6d",
                        "828684be58086e6f2d6361636865",
                        "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565"),
                REQUESTS,
                REQUEST_TABLES);
    }

    @Test
    void requests_huffman() throws Malformed {
        check(
                TABLE_BYTES,
                List.of(
                        "828684418cf1e3c2e5f23a6ba0ab90f4ff",
                        "828684be5886a8eb10649cbf",
                        "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"),
                REQUESTS,
                REQUEST_TABLES);
    }

    @Test
    void responses_plainWithEviction() throws Malformed {
        check(
                SMALL_TABLE_BYTES,
                List.of(
                        "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768"
                            + "747470733a2f2f7777772e6578616d706c652e636f6d",
                        "4803333037c1c0bf",
                        "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153"
                            + "444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b207665"
                            + "7273696f6e3d31"),
                RESPONSES,
                RESPONSE_TABLES);
    }

    @Test
    void responses_huffmanWithEviction() throws Malformed {
        check(
                SMALL_TABLE_BYTES,
                List.of(
                        "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8"
                            + "e9ae82ae43d3",
                        "4883640effc1c0bf",
                        "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b"
                            + "3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007"),
                RESPONSES,
                RESPONSE_TABLES);
    }

    private static final List<String> REQUESTS = List.of("""
        :method: GET
        :scheme: http
        :path: /
        :authority: www.example.com
        """, """
        :method: GET
        :scheme: http
        :path: /
        :authority: www.example.com
        cache-control: no-cache
        """, """
        :method: GET
        :scheme: https
        :path: /index.html
        :authority: www.example.com
        custom-key: custom-value
        """);

    private static final List<String> RESPONSES = List.of("""
        :status: 302
        cache-control: private
        date: Mon, 21 Oct 2013 20:13:21 GMT
        location: https://www.example.com
        """, """
        :status: 307
        cache-control: private
        date: Mon, 21 Oct 2013 20:13:21 GMT
        location: https://www.example.com
        """, """
        :status: 200
        cache-control: private
        date: Mon, 21 Oct 2013 20:13:22 GMT
        location: https://www.example.com
        content-encoding: gzip
        set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1
        """);

    private static final List<String> REQUEST_TABLES = List.of("""
        :authority: www.example.com
        """, """
        cache-control: no-cache
        :authority: www.example.com
        """, """
        custom-key: custom-value
        cache-control: no-cache
        :authority: www.example.com
        """);

    private static final List<String> RESPONSE_TABLES = List.of("""
        location: https://www.example.com
        date: Mon, 21 Oct 2013 20:13:21 GMT
        cache-control: private
        :status: 302
        """, """
        :status: 307
        location: https://www.example.com
        date: Mon, 21 Oct 2013 20:13:21 GMT
        cache-control: private
        """, """
        set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1
        content-encoding: gzip
        date: Mon, 21 Oct 2013 20:13:22 GMT
        """);

    private static void check(int tableBytes, List<String> blocks, List<String> expected, List<String> tables)
            throws Malformed {
        HpackDecoder decoder = new HpackDecoder(tableBytes, 4096, 100);
        for (int i = 0; i < blocks.size(); i++) {
            HpackDecoder.Decoded decoded = decode(decoder, blocks.get(i));
            assertThat(decoded.excess()).isNull();
            assertThat(decoded.fields()).hasToString(expected.get(i));
            checkTable(decoder, tables.get(i));
        }
    }

    /** Each entry by its index, and no further one. */
    private static void checkTable(HpackDecoder decoder, String table) throws Malformed {
        int entries = (int) table.lines().count();
        StringBuilder indices = new StringBuilder();
        for (int entry = 0; entry < entries; entry++) {
            indices.append(HexFormat.of().toHexDigits((byte) (0xbe + entry)));
        }
        assertThat(decode(decoder, indices.toString()).fields()).hasToString(table);

        assertThatExceptionOfType(Malformed.class)
                .isThrownBy(() -> decode(decoder, HexFormat.of().toHexDigits((byte) (0xbe + entries))))
                .withMessageContaining("index " + (62 + entries) + " ");
    }

    private static HpackDecoder.Decoded decode(HpackDecoder decoder, String block) throws Malformed {
        return decoder.decode(Unpooled.wrappedBuffer(HexFormat.of().parseHex(block)));
    }
}

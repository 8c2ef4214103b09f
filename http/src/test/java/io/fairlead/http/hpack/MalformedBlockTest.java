package io.fairlead.http.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.http.FieldName;
import io.fairlead.http.Malformed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MalformedBlockTest {
    private static final int TABLE_BYTES = 256;

    @ParameterizedTest
    @CsvSource({
        "80, index 0",
        "be, index 62",
        "ff00, index 127",
        "ffffffff7f, index 268435582",
        "ff8080808000, at most 5 octets",
        "ffffffffffff0f, at most 5 octets",
        "ff, more bytes",
        "ff80, more bytes",
        "40, more bytes",
        "7f, more bytes",
        "4001, more bytes",
        "400161, more bytes",
        "40016101, more bytes",
        "400161ff, more bytes",
        "400161ff00, more bytes",
        "4001617f, more bytes",
        "41, more bytes",
        "410a61, more bytes",
        "00, more bytes",
        "0001, more bytes",
        "000161, more bytes",
        "10, more bytes",
        "0f, more bytes",
        "0f80, more bytes",
        "7e0161, index 62",
        "0f2f0161, index 62",
        "1f2f0161, index 62",
        "8220, at its beginning only",
        "40016101623f, more bytes",
        "823fe101, at its beginning only",
        "3fe201, table size 257",
        "202020, at most 2 table size updates",
        "3f01203f0182, at most 2 table size updates",
        "3fffffff7f, table size 268435486",
        "203fe201, table size 257",
        "0081ff0161, padding",
        "0081fe0161, padding",
        "00811e0161, padding",
        "008200000161, padding",
        "0084ffffffff0161, end-of-string",
        "0083fffffe0161, padding",
        "0085ffffffffff0161, end-of-string",
        "0001618118, padding",
        "00016184fffffffc, end-of-string"
    })
    void decode_ofAMalformedBlock_saysWhatWasExpected(String block, String text) {
        assertThatExceptionOfType(Malformed.class)
                .isThrownBy(() -> decode(new HpackDecoder(TABLE_BYTES, 4096, 100), block))
                .withMessageContaining(text);
    }

    @Test
    void decode_beyondALimit_keepsTheTable() throws Malformed {
        HpackDecoder byBytes = new HpackDecoder(TABLE_BYTES, 10, 100);
        HpackDecoder.Decoded excessive = decode(byBytes, "4001610a30313233343536373839" + "4001620163");
        assertThat(excessive.excess()).isEqualTo(HpackDecoder.Excess.BYTES);
        assertThat(excessive.fields().size()).isZero();
        assertThat(decode(byBytes, "be").fields()).hasToString("b: c\n");
        assertThat(decode(byBytes, "bf").excess()).isEqualTo(HpackDecoder.Excess.BYTES);

        HpackDecoder byFields = new HpackDecoder(TABLE_BYTES, 4096, 2);
        assertThat(decode(byFields, "8286").excess()).isNull();
        assertThat(decode(byFields, "828684").excess()).isEqualTo(HpackDecoder.Excess.FIELDS);
    }

    @Test
    void decode_ofAnEntryLargerThanTheTable_emptiesIt() throws Malformed {
        HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, 4096, 100);
        decode(decoder, "4001610162");
        assertThat(decode(decoder, "be").fields()).hasToString("a: b\n");

        decode(decoder, "400162" + "7f62" + "61".repeat(225));
        assertThatExceptionOfType(Malformed.class).isThrownBy(() -> decode(decoder, "be"));

        decode(decoder, "400162" + "7f60" + "61".repeat(223));
        assertThat(decode(decoder, "be").fields().valueLength(0)).isEqualTo(223);
    }

    @Test
    void decode_afterTheTableShrank_findsOnlyWhatItHolds() throws Malformed {
        HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, 4096, 100);
        decode(decoder, "4001610162" + "4001630164");

        assertThat(decode(decoder, "3f03be").fields())
                .as("34 bytes are room for one")
                .hasToString("c: d\n");
        assertThatExceptionOfType(Malformed.class).isThrownBy(() -> decode(decoder, "bf"));
    }

    @Test
    void decode_ofTwoTableSizeUpdates_takesBoth() throws Malformed {
        HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, 4096, 100);
        decode(decoder, "4001610162");

        assertThat(decode(decoder, "203fe101" + "4001630164" + "be").fields())
                .as("emptied, then as large as before")
                .hasToString("c: d\nc: d\n");
        assertThatExceptionOfType(Malformed.class).isThrownBy(() -> decode(decoder, "bf"));
    }

    @Test
    void decode_afterALargeBlock_readsSmallOnesAlike() throws Malformed {
        HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, 1 << 16, 100);
        for (int bytes : new int[] {700, 10, 5000, 15, 1000, 1100, 20}) {
            ByteBuf block = Unpooled.buffer();
            HpackEncoder encoder = new HpackEncoder();
            encoder.begin();
            encoder.end(Unpooled.buffer()); // With the end of the table.
            encoder.begin();
            encoder.field(FieldName.PSEUDO_PATH, "\0".repeat(bytes));
            encoder.end(block);
            assertThat(decoder.decode(block.copy()).fields().valueLength(0)).isEqualTo(bytes);

            // Five zero bits are the code of '0'.
            block.setByte(1, block.getByte(1) | 0x80);
            assertThat(decoder.decode(block).fields().value(0)).isEqualTo("0".repeat(bytes * 8 / 5));
        }
    }

    @Test
    void decode_withoutATable_takesLiteralsOnly() throws Malformed {
        HpackDecoder decoder = new HpackDecoder(0, 4096, 100);

        assertThat(decode(decoder, "4001610162").fields()).hasToString("a: b\n");
        assertThatExceptionOfType(Malformed.class).isThrownBy(() -> decode(decoder, "be"));
    }

    private static HpackDecoder.Decoded decode(HpackDecoder decoder, String block) throws Malformed {
        return decoder.decode(Unpooled.wrappedBuffer(HexFormat.of().parseHex(block)));
    }
}

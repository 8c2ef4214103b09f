package io.fairlead.http.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HpackEncoderTest {
    private final HpackEncoder encoder = new HpackEncoder();
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void begin_ofTheFirstBlockOnly_givesTheTableUp() {
        for (int block = 0; block < 2; block++) {
            encoder.begin();
            encoder.end(out);
        }

        assertThat(ByteBufUtil.hexDump(out)).isEqualTo("20");
    }

    @ParameterizedTest
    @CsvSource({
        ":method, GET, 82",
        ":path, /, 84",
        ":scheme, https, 87",
        ":status, 200, 88",
        ":status, 404, 8d",
        "accept-encoding, 'gzip, deflate', 90",
        "host, '', a6"
    })
    void field_thatTheStaticTableHas_isItsIndex(String name, String value, String bytes) {
        encoder.begin();
        encoder.field(FieldName.of(name), value);

        assertThat(block()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({":method, a, 020161", ":status, 201, 0803323031", "vary, a, 0f2c0161"})
    void field_withAnotherValue_isALiteralWithTheIndexOfItsName(String name, String value, String bytes) {
        encoder.begin();
        encoder.field(FieldName.of(name), value);

        assertThat(block()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "authorization, 1f080161",
        "cookie, 1f110161",
        "set-cookie, 1f280161",
        "proxy-authorization, 1f220161",
        "Authorization, 1f080161"
    })
    void fields_thatAreSecret_areNeverIndexed(String name, String bytes) {
        encoder.begin();
        encoder.fields(Fields.builder(0, 0).add(name, "a").build());

        assertThat(block()).isEqualTo(bytes);
    }

    @Test
    void fields_withANameThatIsNotKnown_haveItInLowerCase() {
        encoder.begin();
        encoder.fields(Fields.builder(0, 0).add("X-aZ@[", "A").build());

        assertThat(block()).isEqualTo("0006" + "782d617a405b" + "0141");
    }

    @ParameterizedTest
    @CsvSource({"126, 7e", "127, 7f00", "128, 7f01", "254, 7f7f", "255, 7f8001", "16510, 7fff7f", "16511, 7f808001"})
    void field_withALongValue_hasItsLength(int length, String bytes) {
        encoder.begin();
        encoder.field(FieldName.PSEUDO_PATH, "a".repeat(length));

        assertThat(block()).isEqualTo("04" + bytes + "61".repeat(length));
    }

    /** The first block of a connection, without its first byte, which gives the table up. */
    private String block() {
        encoder.end(out);
        return ByteBufUtil.hexDump(out.skipBytes(1));
    }
}

package io.fairlead.net;

import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** What a call does with the body of its request, before and after there is a connection. */
final class CallBodyTest extends CallFixture {
    @Test
    void bodyBeforeTheConnection_isHeld_andFollowsTheHead() {
        Call call = post(-1);
        call.started(hour);
        call.write(utf8("one "));
        call.write(utf8("two"));
        call.end();
        assertThat(call.isBodyEnded()).isTrue();
        assertThat(wired).isEmpty();

        call.sentOver(wire());

        assertThat(wired).containsExactly("one ", "two", "end");
    }

    @Test
    void bodyBehindTheHead_goesOutAsItComes_andEndsOnce() {
        Call call = sent(post(-1));
        assertThat(wired).isEmpty();

        call.write(utf8("one"));
        assertThat(wired).containsExactly("one");
        call.write(Unpooled.EMPTY_BUFFER);
        call.end();
        call.end();

        assertThat(wired).containsExactly("one", "end");
    }

    @Test
    void bodyWithoutAConnection_makesTheCallUnwritable_untilThereIsOne() {
        Call call = post(-1);
        call.started(hour);
        call.write(Unpooled.wrappedBuffer(new byte[HELD_MAX - 1]));
        assertThat(call.isWritable()).isTrue();
        assertThat(heard).isEmpty();

        call.write(Unpooled.wrappedBuffer(new byte[1]));
        assertThat(call.isWritable()).isFalse();
        assertThat(heard).containsExactly("writable false");
        call.sentOver(wire());

        assertThat(call.isWritable()).isTrue();
        assertThat(heard).containsExactly("writable false", "writable true");
    }

    @Test
    void writability_isThatOfTheConnection_andToldWhenItChanges() {
        wireIsWritable = false;
        Call call = sent(post(-1));
        assertThat(heard).containsExactly("writable false");

        call.writabilityChanged(false);
        assertThat(heard).hasSize(1);
        call.writabilityChanged(true);
        assertThat(heard).hasSize(2);
        assertThat(call.isWritable()).isTrue();
    }

    @Test
    void writability_beforeTheConnection_isNotThatOfAnother() {
        Call call = post(-1);
        call.started(hour);

        call.writabilityChanged(false);

        assertThat(call.isWritable()).isTrue();
        assertThat(heard).isEmpty();
    }

    @Test
    void writability_isNotToldBeforeSendHasReturned() {
        wireIsWritable = false;
        Call call = post(-1);

        call.sentOver(wire());

        assertThat(call.isWritable()).isFalse();
        assertThat(heard).isEmpty();
    }

    @Test
    void bodyBeyondItsLength_isNotSent() {
        Call call = sent(post(3));
        call.write(utf8("one"));
        ByteBuf more = utf8("!");

        call.write(more);

        assertThat(more.refCnt()).isZero();
        assertThat(wired).containsExactly("one", "abort");
        assertThat(heard).containsExactly("PROTOCOL reached the request's body is longer than its declared 3 bytes");
        assertThat(call.isDone()).isTrue();
    }

    @Test
    void bodyBehindItsEnd_isNotSent() {
        Call call = post(-1);
        call.started(hour);
        call.end();
        ByteBuf more = utf8("!");

        call.write(more);

        assertThat(more.refCnt()).isZero();
        assertThat(heard).hasSize(1);
        assertThat(heard.getFirst()).startsWith("PROTOCOL unreached the request's body is longer");
    }

    @Test
    void bodyOfItsLength_isWhole_andAShorterOneIsNot() {
        Call whole = sent(post(3));
        whole.write(utf8("one"));
        whole.end();
        assertThat(wired).containsExactly("one", "end");
        assertThat(heard).isEmpty();

        Call call = sent(post(5));
        call.write(utf8("one"));
        call.end();

        assertThat(wired.getLast()).isEqualTo("abort");
        assertThat(heard).containsExactly("PROTOCOL reached the request's body ended 2 bytes short of its declared 5");
    }

    @Test
    void requestWithoutABody_endsWithItsHead() {
        Call call = sent(post(0));

        assertThat(call.isBodyEnded()).isTrue();
        assertThat(wired).containsExactly("end");
    }
}

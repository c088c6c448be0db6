package org.onesided.benchmark.peers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.WireFormat;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;

/**
 * The few messages of etcd's API, version 3, that a benchmark needs, as bytes: its fields are numbered in
 * {@code rpc.proto} and {@code kv.proto}.
 */
final class EtcdMessages
{
    static final MethodDescriptor<byte[], byte[]> PUT = method("etcdserverpb.KV/Put");
    static final MethodDescriptor<byte[], byte[]> RANGE = method("etcdserverpb.KV/Range");
    static final MethodDescriptor<byte[], byte[]> STATUS = method("etcdserverpb.Maintenance/Status");

    private static final int REQUEST_KEY = 1;
    private static final int PUT_VALUE = 2;
    private static final int RANGE_PAIRS = 2;
    private static final int PAIR_VALUE = 5;
    private static final int RESPONSE_HEADER = 1;
    private static final int HEADER_MEMBER = 2;
    private static final int STATUS_LEADER = 4;

    private EtcdMessages()
    {
    }

    private static MethodDescriptor<byte[], byte[]> method(final String name)
    {
        final MethodDescriptor.Marshaller<byte[]> bytes = new Bytes();
        return MethodDescriptor.newBuilder(bytes, bytes)
            .setType(MethodDescriptor.MethodType.UNARY).setFullMethodName(name).build();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]>
    {
        @Override
        public InputStream stream(final byte[] message)
        {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(final InputStream message)
        {
            try
            {
                return message.readAllBytes();
            }
            catch (final IOException e)
            {
                throw new UncheckedIOException(e);
            }
        }
    }

    static byte[] putRequest(final byte[] key, final byte[] value) throws IOException
    {
        return request(key, value);
    }

    /** Of one key, linearizable as etcd's lookups are unless they are told otherwise. */
    static byte[] rangeRequest(final byte[] key) throws IOException
    {
        return request(key, null);
    }

    private static byte[] request(final byte[] key, final byte[] value) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        final CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeByteArray(REQUEST_KEY, key);
        if (value != null)
        {
            out.writeByteArray(PUT_VALUE, value);
        }
        out.flush();
        return bytes.toByteArray();
    }

    /** The value of the pair that was found, or null. */
    static byte[] foundValue(final byte[] rangeResponse) throws IOException
    {
        final byte[] pair = bytes(rangeResponse, RANGE_PAIRS);
        return pair == null ? null : bytes(pair, PAIR_VALUE);
    }

    /** Whether the member that answers leads. */
    static boolean isLeader(final byte[] statusResponse) throws IOException
    {
        final byte[] header = bytes(statusResponse, RESPONSE_HEADER);
        final long leader = number(statusResponse, STATUS_LEADER);
        return header != null && leader != 0 && number(header, HEADER_MEMBER) == leader;
    }

    /** The first field of this number, or null. */
    private static byte[] bytes(final byte[] message, final int field) throws IOException
    {
        final CodedInputStream in = CodedInputStream.newInstance(message);
        return find(in, field) ? in.readByteArray() : null;
    }

    /** The first field of this number, or 0. */
    private static long number(final byte[] message, final int field) throws IOException
    {
        final CodedInputStream in = CodedInputStream.newInstance(message);
        return find(in, field) ? in.readUInt64() : 0;
    }

    private static boolean find(final CodedInputStream in, final int field) throws IOException
    {
        int tag = in.readTag();
        while (tag != 0 && WireFormat.getTagFieldNumber(tag) != field)
        {
            in.skipField(tag);
            tag = in.readTag();
        }
        return tag != 0;
    }
}

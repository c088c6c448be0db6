package org.onesided.client.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * What an operation that failed was about.
 *
 * @param operation in one word, or null.
 * @param key       in printable form, or null.
 * @param server    host and port, or null.
 * @param writeFate of the write, or {@link WriteFate#NONE}.
 */
public record FailureContext(
    @Nullable String operation, @Nullable String key, @Nullable String server, WriteFate writeFate)
{
    /**
     * Only a server.
     *
     * @param server host and port.
     * @return the context of a failure that concerns no operation.
     */
    public static FailureContext ofServer(final String server)
    {
        return new FailureContext(null, null, server, WriteFate.NONE);
    }

    /**
     * An operation of which nothing was sent.
     *
     * @param operation of {@link Operation}.
     * @param server    host and port.
     * @return its context.
     */
    public static FailureContext unsent(final String operation, final String server)
    {
        return new FailureContext(operation, null, server, Operation.unsentFate(operation));
    }

    /** The message in one line, with the data at its end. */
    String describe(final String message)
    {
        final StringBuilder text = new StringBuilder();
        if (operation != null)
        {
            text.append(operation).append(": ");
        }
        text.append(message);
        if (writeFate == WriteFate.UNKNOWN)
        {
            text.append("; the write may or may not have taken effect, or may yet if the server was not started anew: ")
                .append("read the key once it answers again");
        }
        String separator = message.indexOf('=') < 0 ? ": " : " ";
        if (key != null)
        {
            text.append(separator).append("key=").append(key);
            separator = " ";
        }
        if (server != null)
        {
            text.append(separator).append("server=").append(server);
        }
        return text.toString();
    }
}

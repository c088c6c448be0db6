package org.onesided.fuzz;

/**
 * What a refusal has to look like.
 */
public final class Refusal
{
    private static final int MAX_LENGTH = 20_000;

    private Refusal()
    {
    }

    /**
     * Sees that an exception that the decoder may throw says why, in one line.
     *
     * @param e thrown.
     */
    public static void check(final Throwable e)
    {
        check(e.getMessage(), e);
    }

    /**
     * Sees that a reason is one line.
     *
     * @param message that says why.
     * @param e       that has it, or null.
     */
    public static void check(final String message, final Throwable e)
    {
        if (message == null || message.isBlank())
        {
            throw new AssertionError("refused without a reason: " + e, e);
        }
        if (message.length() > MAX_LENGTH)
        {
            throw new AssertionError("reason is too long: length=" + message.length(), e);
        }
        for (int i = 0; i < message.length(); i++)
        {
            final int type = Character.getType(message.charAt(i));
            if (type == Character.CONTROL || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR)
            {
                throw new AssertionError("reason is not one line of text: at=" + i + " char=0x" +
                    Integer.toHexString(message.charAt(i)), e);
            }
        }
    }
}

package org.onesided.fuzz;

/**
 * Hands what Jazzer chooses to the decoder that the property {@value #NAME_PROPERTY} names. Jazzer finds the methods by
 * their names.
 */
public final class JazzerTarget
{
    static final String NAME_PROPERTY = "onesided.fuzz.target";

    private static FuzzTarget target;

    private JazzerTarget()
    {
    }

    /**
     * Finds the decoder.
     */
    public static void fuzzerInitialize()
    {
        final String name = System.getProperty(NAME_PROPERTY);
        target = FuzzDecoders.targets().stream().filter((each) -> each.name().equals(name)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no such decoder: " + NAME_PROPERTY + '=' + name));
    }

    /**
     * Feeds it.
     *
     * @param input any bytes.
     * @throws Exception if the decoder did what it must not.
     */
    public static void fuzzerTestOneInput(final byte[] input) throws Exception
    {
        target.feed(input);
    }

    /**
     * Ends what the decoder needed.
     *
     * @throws Exception if that fails.
     */
    public static void fuzzerTearDown() throws Exception
    {
        target.close();
    }
}

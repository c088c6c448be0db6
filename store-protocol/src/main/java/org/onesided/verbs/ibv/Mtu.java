package org.onesided.verbs.ibv;

/**
 * Path MTUs as {@code enum ibv_mtu}: 1 is 256 bytes, and each further one twice as much.
 */
final class Mtu
{
    /** Code of {@link #LEAST_BYTES}. */
    static final int LEAST_CODE = 1;
    /** Code of the largest MTU, 4096 bytes. */
    static final int MOST_CODE = 5;
    /** The smallest MTU in bytes. */
    static final int LEAST_BYTES = 256;

    private Mtu()
    {
    }

    /**
     * @param code as libibverbs has it.
     * @return in bytes; 0 for a code that is not known.
     */
    static int bytes(final int code)
    {
        return code < LEAST_CODE || code > MOST_CODE ? 0 : LEAST_BYTES << code - LEAST_CODE;
    }

    /**
     * @param bytes path MTU.
     * @return as libibverbs has it; 0 for what is no path MTU.
     */
    static int code(final int bytes)
    {
        for (int code = LEAST_CODE; code <= MOST_CODE; code++)
        {
            if (bytes(code) == bytes)
            {
                return code;
            }
        }
        return 0;
    }
}

package table

// Field ids of the Thrift structs of the Parquet format (parquet.thrift).
const (
	// FileMetaData
	fmVersion      = 1
	fmSchema       = 2
	fmNumRows      = 3
	fmRowGroups    = 4
	fmKeyValues    = 5
	fmCreatedBy    = 6
	fmColumnOrders = 7
	fmEncryption   = 8

	// SchemaElement
	seType        = 1
	seTypeLength  = 2
	seRepetition  = 3
	seName        = 4
	seNumChildren = 5
	seConverted   = 6
	seLogical     = 10

	// RowGroup
	rgColumns         = 1
	rgTotalByteSize   = 2
	rgNumRows         = 3
	rgSorting         = 4
	rgFileOffset      = 5
	rgTotalCompressed = 6
	rgOrdinal         = 7

	// ColumnChunk
	ccFilePath          = 1
	ccFileOffset        = 2
	ccMetaData          = 3
	ccOffsetIndexOffset = 4
	ccOffsetIndexLength = 5
	ccColumnIndexOffset = 6
	ccColumnIndexLength = 7
	ccCrypto            = 8
	ccEncryptedMetaData = 9

	// ColumnMetaData
	cmType              = 1
	cmEncodings         = 2
	cmPath              = 3
	cmCodec             = 4
	cmNumValues         = 5
	cmTotalUncompressed = 6
	cmTotalCompressed   = 7
	cmKeyValues         = 8
	cmDataPageOffset    = 9
	cmIndexPageOffset   = 10
	cmDictionaryOffset  = 11
	cmStatistics        = 12
	cmBloomOffset       = 14
	cmBloomLength       = 15
	cmSizeStatistics    = 16

	// Statistics
	stMax      = 1 // deprecated
	stMin      = 2 // deprecated
	stMaxValue = 5
	stMinValue = 6

	// PageHeader
	phType         = 1
	phUncompressed = 2
	phCompressed   = 3
	phCRC          = 4
	phDataV1       = 5
	phDictionary   = 7
	phDataV2       = 8

	// DataPageHeader
	dpNumValues   = 1
	dpEncoding    = 2
	dpDefEncoding = 3
	dpRepEncoding = 4

	// DictionaryPageHeader
	diNumValues = 1
	diEncoding  = 2

	// DataPageHeaderV2
	d2NumValues    = 1
	d2NumNulls     = 2
	d2NumRows      = 3
	d2Encoding     = 4
	d2DefLength    = 5
	d2RepLength    = 6
	d2IsCompressed = 7

	// SortingColumn
	scColumn = 1

	// OffsetIndex, PageLocation
	oiLocations = 1
	plOffset    = 1

	// KeyValue
	kvKey   = 1
	kvValue = 2

	// BloomFilterHeader
	bfNumBytes = 1
)

// Physical types.
const (
	physBoolean   = 0
	physInt32     = 1
	physInt64     = 2
	physInt96     = 3
	physFloat     = 4
	physDouble    = 5
	physByteArray = 6
	physFixed     = 7
)

// Repetition types.
const (
	repRequired = 0
	repOptional = 1
	repRepeated = 2
)

// Page types.
const (
	pageData       = 0
	pageIndex      = 1
	pageDictionary = 2
	pageDataV2     = 3
)

// Encodings.
const (
	encPlain           = 0
	encPlainDictionary = 2
	encRLE             = 3
	encBitPacked       = 4
	encDelta           = 5 // DELTA_BINARY_PACKED
	encDeltaLength     = 6 // DELTA_LENGTH_BYTE_ARRAY
	encDeltaStrings    = 7 // DELTA_BYTE_ARRAY
	encRLEDictionary   = 8
	encByteStreamSplit = 9
)

// Members of the LogicalType union.
const (
	logString    = 1
	logMap       = 2
	logEnum      = 4
	logDecimal   = 5
	logDate      = 6
	logTime      = 7
	logTimestamp = 8
	logInteger   = 10
	logUnknown   = 11
	logJSON      = 12
	logUUID      = 14
)

// Members of the TimeUnit union.
const (
	unitMillis = 1
	unitMicros = 2
	unitNanos  = 3
)

// Converted types, the older annotation.
const (
	convNone            = -1
	convUTF8            = 0
	convMap             = 1
	convEnum            = 4
	convDecimal         = 5
	convDate            = 6
	convTimestampMillis = 9
	convTimestampMicros = 10
	convUint8           = 11
	convUint64          = 14
	convInt8            = 15
	convInt64           = 18
	convJSON            = 19
)

// Codecs.
const (
	codecUncompressed = 0
	codecSnappy       = 1
	codecGzip         = 2
	codecLZO          = 3
	codecBrotli       = 4
	codecLZ4          = 5
	codecZstd         = 6
	codecLZ4Raw       = 7
)

var codecNames = [...]string{"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"}
